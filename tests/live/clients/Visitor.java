import java.io.BufferedReader;
import java.io.InputStreamReader;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.TreeSet;
import org.apache.zookeeper.CreateMode;
import org.apache.zookeeper.KeeperException;
import org.apache.zookeeper.WatchedEvent;
import org.apache.zookeeper.Watcher;
import org.apache.zookeeper.Watcher.Event.EventType;
import org.apache.zookeeper.data.Stat;

/** A program in Java that does what lines of stdin say and tells what it sees; `story.py` says in which words. */
public abstract class Visitor implements Watcher {
    abstract String create(String path, byte[] data, CreateMode mode) throws Exception;
    abstract Stat set(String path, byte[] data, int version) throws Exception;
    abstract byte[] get(String path, Stat stat) throws Exception;
    abstract List<String> children(String path) throws Exception;
    abstract void delete(String path) throws Exception;
    abstract void watch(String what, String path) throws Exception;
    abstract long session() throws Exception;
    /** Begins a session behind one that has expired, where the library does not. */
    abstract void beginAnew() throws Exception;
    abstract void close() throws Exception;

    /** What only some can do. */
    String more(String[] words) throws Exception {
        throw new IllegalArgumentException(words[0]);
    }

    static synchronized void say(String line) {
        System.out.println(line);
        System.out.flush();
    }

    @Override
    public void process(WatchedEvent event) {
        if (event.getType() != EventType.None) {
            String type = switch (event.getType()) {
                case NodeCreated -> "created";
                case NodeDeleted -> "deleted";
                case NodeDataChanged -> "changed";
                case NodeChildrenChanged -> "child";
                default -> event.getType().name();
            };
            say("event " + type + " " + event.getPath());
            return;
        }
        switch (event.getState()) {
            case SyncConnected -> say("state connected");
            case Disconnected -> say("state lost");
            case Expired -> say("state expired");
            default -> { }
        }
    }

    private static byte[] bytes(String text) {
        return text.getBytes(StandardCharsets.UTF_8);
    }

    private String answer(String[] words) throws Exception {
        switch (words[0]) {
            case "create": return create(words[1], bytes(words[2]), CreateMode.PERSISTENT);
            case "ephemeral": return create(words[1], bytes(words[2]), CreateMode.EPHEMERAL);
            case "sequence": return create(words[1], bytes(words[2]), CreateMode.EPHEMERAL_SEQUENTIAL);
            case "set": return "" + set(words[1], bytes(words[2]), words.length > 3 ? Integer.parseInt(words[3]) : -1).getVersion();
            case "get": {
                Stat stat = new Stat();
                return new String(get(words[1], stat), StandardCharsets.UTF_8) + " " + stat.getVersion();
            }
            case "children": return String.join(" ", new TreeSet<>(children(words[1])));
            case "delete": delete(words[1]); return "";
            case "watch": watch(words[1], words[2]); return "";
            case "session": return "0x" + Long.toHexString(session());
            case "anew": beginAnew(); return "";
            case "close": close(); return "";
            default: return more(words);
        }
    }

    public static void main(String[] args) throws Exception {
        String hosts = args[1];
        int timeout = Integer.parseInt(args[2]);
        Visitor visitor = args[0].equals("curator") ? new Curated(hosts, timeout) : new Plain(hosts, timeout);
        BufferedReader lines = new BufferedReader(new InputStreamReader(System.in, StandardCharsets.UTF_8));
        for (String line; (line = lines.readLine()) != null; ) {
            String[] words = line.split(" ");
            try {
                say(("ok " + visitor.answer(words)).trim());
            } catch (KeeperException error) {
                String name = error.getClass().getSimpleName();
                say("failed " + name.substring(0, name.length() - "Exception".length()));
            } catch (Exception error) {
                say("failed " + error);
            }
            if (words[0].equals("close")) {
                System.exit(0);
            }
        }
        System.exit(1); // nobody said goodbye
    }
}
