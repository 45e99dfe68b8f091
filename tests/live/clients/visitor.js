// A program in JavaScript that does what lines of stdin say and tells what it sees, with node-zookeeper-client; `story.py` says in which words.

const readline = require('node:readline');
const zookeeper = require('node-zookeeper-client');

const [hosts, timeout] = process.argv.slice(2);
const { CreateMode, Event, Exception } = zookeeper;
const EVENTS = {
  [Event.NODE_CREATED]: 'created',
  [Event.NODE_DELETED]: 'deleted',
  [Event.NODE_DATA_CHANGED]: 'changed',
  [Event.NODE_CHILDREN_CHANGED]: 'child',
};
const FAILURES = {
  [Exception.NODE_EXISTS]: 'NodeExists',
  [Exception.NO_NODE]: 'NoNode',
  [Exception.BAD_VERSION]: 'BadVersion',
  [Exception.CONNECTION_LOSS]: 'ConnectionLoss',
  [Exception.SESSION_EXPIRED]: 'SessionExpired',
};

const say = (...words) => process.stdout.write(`${words.join(' ').trim()}\n`);
let client;

function begin() {
  client = zookeeper.createClient(hosts, { sessionTimeout: Number(timeout) });
  client.on('connected', () => say('state connected'));
  client.on('disconnected', () => say('state lost'));
  client.on('expired', () => say('state expired'));
  client.connect();
}

// A method of the client's as a promise of what its callback is given behind the error.
const call = (method, ...args) =>
  new Promise((resolve, reject) => client[method](...args, (error, ...results) => (error ? reject(error) : resolve(results))));

async function answer([what, path, ...rest]) {
  const seen = (event) => say('event', EVENTS[event.getType()] ?? event.getName(), event.getPath());
  switch (what) {
    case 'create':
      return call('create', path, Buffer.from(rest[0]), CreateMode.PERSISTENT);
    case 'ephemeral':
      return call('create', path, Buffer.from(rest[0]), CreateMode.EPHEMERAL);
    case 'sequence':
      return call('create', path, Buffer.from(rest[0]), CreateMode.EPHEMERAL_SEQUENTIAL);
    case 'set':
      return call('setData', path, Buffer.from(rest[0]), Number(rest[1] ?? -1)).then(([stat]) => [stat.version]);
    case 'get':
      return call('getData', path).then(([data, stat]) => [data.toString(), stat.version]);
    case 'children':
      return call('getChildren', path).then(([children]) => children.sort());
    case 'delete':
      return call('remove', path, -1);
    case 'watch': {
      const method = { exists: 'exists', data: 'getData', children: 'getChildren' }[path];
      return call(method, rest[0], seen).then(() => []);
    }
    case 'session':
      return [`0x${BigInt(`0x${client.getSessionId().toString('hex')}`).toString(16)}`];
    case 'anew':
      begin();
      return [];
    case 'close':
      client.close();
      return [];
    default:
      throw new Error(what);
  }
}

begin();
const lines = readline.createInterface({ input: process.stdin });
lines.on('line', async (line) => {
  const words = line.split(' ');
  try {
    say('ok', ...(await answer(words)));
  } catch (error) {
    say('failed', FAILURES[error.code] ?? error);
  }
  if (words[0] === 'close') {
    // it ends when the last socket is closed
    lines.close();
    process.stdin.destroy();
  }
});
