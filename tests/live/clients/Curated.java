import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import org.apache.curator.framework.CuratorFramework;
import org.apache.curator.framework.CuratorFrameworkFactory;
import org.apache.curator.framework.recipes.leader.LeaderLatch;
import org.apache.curator.framework.recipes.leader.LeaderLatchListener;
import org.apache.curator.framework.recipes.leader.LeaderSelector;
import org.apache.curator.framework.recipes.leader.LeaderSelectorListenerAdapter;
import org.apache.curator.framework.recipes.locks.InterProcessMutex;
import org.apache.curator.framework.state.ConnectionState;
import org.apache.curator.retry.RetryForever;
import org.apache.zookeeper.CreateMode;
import org.apache.zookeeper.Watcher;
import org.apache.zookeeper.data.Stat;

/** Curator: its framework, and of its recipes InterProcessMutex, LeaderLatch and LeaderSelector. */
final class Curated extends Visitor {
    private final CuratorFramework client;
    /** A mutex belongs to the thread that has it, so one thread does all that locks do. */
    private final ExecutorService locks = Executors.newSingleThreadExecutor();
    private final Map<String, InterProcessMutex> mutexes = new HashMap<>();
    private final Map<String, CountDownLatch> terms = new HashMap<>();

    Curated(String hosts, int timeout) {
        client = CuratorFrameworkFactory.builder().connectString(hosts).sessionTimeoutMs(timeout).retryPolicy(new RetryForever(200)).build();
        client.getConnectionStateListenable().addListener((curator, state) -> say("state " + said(state)));
        client.start();
    }

    private static String said(ConnectionState state) {
        return switch (state) {
            case CONNECTED, RECONNECTED -> "connected";
            case SUSPENDED -> "lost";
            case LOST -> "expired";
            default -> state.name();
        };
    }

    @Override
    String more(String[] words) throws Exception {
        String path = words[1];
        switch (words[0]) {
            case "lock" -> locks.submit(() -> {
                InterProcessMutex mutex = mutexes.computeIfAbsent(path, at -> new InterProcessMutex(client, at));
                try {
                    mutex.acquire();
                    say("event locked " + path);
                } catch (Exception error) {
                    say("event failed " + error);
                }
            });
            case "unlock" -> locks.submit(() -> {
                mutexes.get(path).release();
                return null;
            }).get();
            case "latch" -> {
                LeaderLatch latch = new LeaderLatch(client, path);
                latch.addListener(new LeaderLatchListener() {
                    @Override
                    public void isLeader() {
                        say("event leads " + path);
                    }

                    @Override
                    public void notLeader() {
                        say("event follows " + path);
                    }
                });
                latch.start();
            }
            case "select" -> {
                LeaderSelector selector = new LeaderSelector(client, path, new LeaderSelectorListenerAdapter() {
                    @Override
                    public void takeLeadership(CuratorFramework curator) throws Exception {
                        CountDownLatch term = new CountDownLatch(1);
                        synchronized (terms) {
                            terms.put(path, term);
                        }
                        say("event leads " + path);
                        try {
                            term.await(); // interrupted where the connection is lost
                        } finally {
                            say("event follows " + path);
                        }
                    }
                });
                selector.autoRequeue();
                selector.start();
            }
            case "resign" -> {
                synchronized (terms) {
                    terms.get(path).countDown();
                }
            }
            default -> super.more(words);
        }
        return "";
    }

    @Override
    String create(String path, byte[] data, CreateMode mode) throws Exception {
        return client.create().withMode(mode).forPath(path, data);
    }

    @Override
    Stat set(String path, byte[] data, int version) throws Exception {
        return client.setData().withVersion(version).forPath(path, data);
    }

    @Override
    byte[] get(String path, Stat stat) throws Exception {
        return client.getData().storingStatIn(stat).forPath(path);
    }

    @Override
    List<String> children(String path) throws Exception {
        return client.getChildren().forPath(path);
    }

    @Override
    void delete(String path) throws Exception {
        client.delete().forPath(path);
    }

    @Override
    void watch(String what, String path) throws Exception {
        // a new one each time, which hears of nodes alone; states come by the listener
        Watcher watcher = event -> {
            if (event.getType() != Watcher.Event.EventType.None) {
                process(event);
            }
        };
        switch (what) {
            case "exists" -> client.checkExists().usingWatcher(watcher).forPath(path);
            case "data" -> client.getData().usingWatcher(watcher).forPath(path);
            default -> client.getChildren().usingWatcher(watcher).forPath(path);
        }
    }

    @Override
    long session() throws Exception {
        return client.getZookeeperClient().getZooKeeper().getSessionId();
    }

    @Override
    void beginAnew() { }

    @Override
    void close() {
        client.close();
    }
}
