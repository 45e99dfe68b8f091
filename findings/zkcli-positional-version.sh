#!/bin/sh
# zkCli: the version behind the path, as `delete path [version]` and `set path data [version]` had it up to 3.4, where it does not fit.
#
# A good guess: `delete /d 3` prints that the form is deprecated and is refused all the same, "version No is not valid : /d": /d stays.
# Seen: the line is printed and /d is deleted, whatever its version: the 3 is dropped. `set /s x 7` drops the 7 without even a line and writes. A
# script from 3.4 that deletes or writes on condition does so always. `delete -v 3` and `set -v 7` are refused, for comparison.
# Why: 3.5.0 to 3.5.2 rewrote `delete /d 3` to `delete -v 3 /d`. Since 3.5.3 (ZOOKEEPER-1898) the arguments are parsed once more as they were, and
# only the line about them is left. `set` has read no argument behind the data since 3.5.0.
# Versions: ZooKeeper 3.8.0 (Debian 12, 3.8.0-11+deb12u2). By the sources 3.4.14 heeds both, and 3.9.5 does as 3.8.0 does.
exec python3 "$(dirname "$0")/server.py" <<'END'
from server import Server, is_

with Server() as server:
    created, refused = "Created /{}".format, "version No is not valid : /{}".format
    deprecated = "'delete path [version]' has been deprecated. Please use 'delete [-v version] path' instead."
    is_("delete -v 3 /d", server.zkcli("create /d", "delete -v 3 /d", "ls /"), [created("d"), refused("d"), "[d, zookeeper]"])
    is_("delete /d 3", server.zkcli("delete /d 3", "ls /"), [deprecated, "[zookeeper]"])
    is_("set -v 7 /s x", server.zkcli("create /s before", "set -v 7 /s x", "get /s"), [created("s"), refused("s"), "before"])
    is_("set /s x 7", server.zkcli("set /s x 7", "get /s"), ["x"])
END
