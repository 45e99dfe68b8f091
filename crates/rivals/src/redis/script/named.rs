//! The scripts that locks need, by name: `EVAL @compareAndDelete 1 lock token` stands for the text.

/// Name and text of each. A name is what the recordings call it.
pub const NAMED_SCRIPTS: &[(&str, &str)] = &[
    (
        "compareAndDelete",
        "if redis.call('GET', KEYS[1]) == ARGV[1] then return redis.call('DEL', KEYS[1]) else return 0 end",
    ),
    (
        "compareAndPexpire",
        "if redis.call('GET', KEYS[1]) == ARGV[1] then return redis.call('PEXPIRE', KEYS[1], ARGV[2]) else return 0 end",
    ),
    (
        "lockAndToken",
        "if redis.call('SET', KEYS[1], ARGV[1], 'NX', 'PX', ARGV[2]) then return redis.call('INCR', KEYS[2]) else return nil end",
    ),
    (
        "fencedWrite",
        "local newest = redis.call('HGET', KEYS[1], 'token')
         if newest and tonumber(ARGV[1]) < tonumber(newest) then
           return redis.error_reply('STALE token ' .. ARGV[1] .. ' < ' .. newest)
         end
         redis.call('HSET', KEYS[1], 'token', ARGV[1], 'value', ARGV[2])
         return 'OK'",
    ),
    (
        "hashLock",
        "if redis.call('EXISTS', KEYS[1]) == 0 or redis.call('HEXISTS', KEYS[1], ARGV[2]) == 1 then
           redis.call('HINCRBY', KEYS[1], ARGV[2], 1)
           redis.call('PEXPIRE', KEYS[1], ARGV[1])
           return nil
         end
         return redis.call('PTTL', KEYS[1])",
    ),
    (
        "hashUnlock",
        "if redis.call('HEXISTS', KEYS[1], ARGV[1]) == 0 then return nil end
         if redis.call('HINCRBY', KEYS[1], ARGV[1], -1) > 0 then
           redis.call('PEXPIRE', KEYS[1], ARGV[2])
           return 0
         end
         redis.call('DEL', KEYS[1])
         redis.call('PUBLISH', KEYS[2], '0')
         return 1",
    ),
    (
        "hashRenew",
        "if redis.call('HEXISTS', KEYS[1], ARGV[1]) == 1 then redis.call('PEXPIRE', KEYS[1], ARGV[2]) return 1 end
         return 0",
    ),
    (
        "hashForceUnlock",
        "if redis.call('DEL', KEYS[1]) == 1 then redis.call('PUBLISH', KEYS[2], '0') return 1 end
         return 0",
    ),
    (
        "hashLockAndToken",
        "if redis.call('EXISTS', KEYS[1]) == 0 or redis.call('HEXISTS', KEYS[1], ARGV[2]) == 1 then
           redis.call('HINCRBY', KEYS[1], ARGV[2], 1)
           redis.call('PEXPIRE', KEYS[1], ARGV[1])
           return {-1, redis.call('INCR', KEYS[2])}
         end
         return {redis.call('PTTL', KEYS[1]), -1}",
    ),
    (
        "writeThenFail",
        "redis.call('SET', KEYS[1], ARGV[1]) redis.call('INCR', KEYS[2]) redis.call('SET', KEYS[1], 'never') return 1",
    ),
    (
        "getSpinGet",
        "local first = redis.call('GET', KEYS[1])
         for i = 1, tonumber(ARGV[1]) do end
         return {first, redis.call('GET', KEYS[1])}",
    ),
    (
        "compareAndDeleteAfterSpin",
        "local own = redis.call('GET', KEYS[1]) == ARGV[1]
         for i = 1, tonumber(ARGV[2]) do end
         if own then return redis.call('DEL', KEYS[1]) else return 0 end",
    ),
    ("spinForever", "while true do end"),
    ("writeThenSpinForever", "redis.call('SET', KEYS[1], 'x') while true do end"),
];

/// The text of a script as a client gives it: by its name after `@`, else the text itself.
pub(crate) fn source_of(given: &str) -> &str {
    let named = given.strip_prefix('@').and_then(|name| NAMED_SCRIPTS.iter().find(|(known, _)| *known == name));
    named.map_or(given, |(_, text)| text)
}

/// A script's SHA1, in hexadecimal; `sha1:@name` stands for that of the named script.
pub(crate) fn sha1(given: &str) -> String {
    sha1_smol::Sha1::from(source_of(given)).digest().to_string()
}
