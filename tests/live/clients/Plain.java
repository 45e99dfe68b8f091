import java.util.List;
import org.apache.zookeeper.CreateMode;
import org.apache.zookeeper.ZooDefs.Ids;
import org.apache.zookeeper.ZooKeeper;
import org.apache.zookeeper.data.Stat;

/** ZooKeeper's own client in Java. */
final class Plain extends Visitor {
    private final String hosts;
    private final int timeout;
    private ZooKeeper client;

    Plain(String hosts, int timeout) throws Exception {
        this.hosts = hosts;
        this.timeout = timeout;
        beginAnew();
    }

    @Override
    void beginAnew() throws Exception {
        client = new ZooKeeper(hosts, timeout, this);
    }

    @Override
    String create(String path, byte[] data, CreateMode mode) throws Exception {
        return client.create(path, data, Ids.OPEN_ACL_UNSAFE, mode);
    }

    @Override
    Stat set(String path, byte[] data, int version) throws Exception {
        return client.setData(path, data, version);
    }

    @Override
    byte[] get(String path, Stat stat) throws Exception {
        return client.getData(path, false, stat);
    }

    @Override
    List<String> children(String path) throws Exception {
        return client.getChildren(path, false);
    }

    @Override
    void delete(String path) throws Exception {
        client.delete(path, -1);
    }

    @Override
    void watch(String what, String path) throws Exception {
        switch (what) {
            case "exists" -> client.exists(path, true);
            case "data" -> client.getData(path, true, null);
            default -> client.getChildren(path, true);
        }
    }

    @Override
    long session() {
        return client.getSessionId();
    }

    @Override
    void close() throws Exception {
        client.close();
    }
}
