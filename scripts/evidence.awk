# Writes docs/evidence.md from rows (scripts/evidence) and from what was judged by hand (docs/evidence-judged.tsv).
BEGIN { FS = "\t" }

function add(list, key) { if (!((list, key) in seen)) { seen[list, key] = 1; keys[list, ++count[list]] = key } }
function percent(part, all) { return all ? sprintf("%.1f %%", 100 * part / all) : "" }
function thousands(n,    text) { text = sprintf("%d", n); while (text ~ /[0-9][0-9][0-9][0-9]($|,)/) text = grouped(text); return text }
function grouped(text,    head, tail, at) {
  at = index(text, ","); head = at ? substr(text, 1, at - 1) : text; tail = at ? substr(text, at) : ""
  return substr(head, 1, length(head) - 3) "," substr(head, length(head) - 2) tail
}

FILENAME ~ /judged/ { why[$1] = $2; next }
{ has[$1] = 1 }
$1 == "machine" || $1 == "date" || $1 == "commit" { said[$1] = $2 }
$1 == "took" { took[$2] = $3 }
$1 == "recordings" { add("recordings", $2); files[$2] = $3; failed[$2] = $4 }
$1 == "schedules" { add("schedules", $2 "\t" $3); runs[$2 "\t" $3] += $4; events[$2 "\t" $3] += $5; bad[$2 "\t" $3] += $6 }
$1 == "rules" { add("rules", $2); three[$2] = $3; five[$2] = $4 }
$1 == "digests" { add("digests", $2); scenes[$2] = $3; rules_of[$2] = $4; equal[$2] = $5 }
$1 == "attacks" { add("attacks", $2); inputs[$2] = $3; accepted[$2] = $4; refused[$2] = $5 }
$1 == "coverage" { add("coverage", $2); lines[$2] += $4; never[$2] += $5; where = $3
  if ($2 == "recipes" && where ~ /recipes\/src\/[a-z]+\//) sub(/[a-z_]+\.rs$/, "", where)
  add("unreached", where); missed[where] += $5 }

END {
  print "# Evidence"
  print ""
  print "What is claimed of ZabScope, measured by `scripts/evidence` on " said["machine"] " (" said["date"] ", at commit " said["commit"] "). Whoever runs"
  print "it gets this page anew; `scripts/evidence PART` measures one part. How a share of it is given to each of many machines stands at the end."
  recordings(); schedules(); rules(); digests(); attacks(); coverage()
  print ""
  print "## On many machines"
  print ""
  print "A seed means the same everywhere, so shares are ranges of seeds, and results are rows of text that are added up:"
  print ""
  print "    scripts/evidence schedules --seeds 0..50 --out a.tsv      # one machine"
  print "    scripts/evidence schedules --seeds 50..100 --out b.tsv    # another"
  print "    scripts/evidence --merge a.tsv b.tsv                      # anywhere"
  print ""
  print "`.github/workflows/evidence.yml` does it as a matrix; as a job of Kubernetes it is the one in [explore.md](explore.md) with this command"
  print "(`$JOB_COMPLETION_INDEX` chooses the share)."
}

function title(part, text) {
  print ""; print "## " text; print ""
  if (part in took) print "Took " took[part] " s."
  else print part in has ? "Added up from the shares of several machines." : "Not measured on this machine."
  print ""
}
function recordings(    i, f, all, bads) {
  title("recordings", "Recordings of real systems that are played right")
  print "| family | recordings | not reproduced |"; print "| --- | ---: | ---: |"
  for (i = 1; i <= count["recordings"]; i++) { f = keys["recordings", i]; print "| `tests/" f "` | " files[f] " | " failed[f] " |"; all += files[f]; bads += failed[f] }
  print "| all | " all " | " bads " |"
}
function schedules(    i, k, part, r, e, b) {
  title("schedules", "Fault schedules, no violation")
  print "Short: deeds (crashes, cuts, pauses, writes, late packets) thrown into a run at its turning points. Long: a minute of random faults with"
  print "clients, recipes, reconfigurations and broken disks, then healing. Properties are checked after every event."; print ""
  print "| where | kind | schedules | events | violations |"; print "| --- | --- | ---: | ---: | ---: |"
  for (i = 1; i <= count["schedules"]; i++) {
    k = keys["schedules", i]; split(k, part, "\t"); sub(/^1 servers/, "1 server", part[1]); r += runs[k]; e += events[k]; b += bad[k]
    print "| " part[1] " | " part[2] " | " thousands(runs[k]) " | " thousands(events[k]) " | " bad[k] " |"
  }
  print "| all | | " thousands(r) " | " thousands(e) " | " b " |"
}
function rules(    i, n) {
  title("rules", "Broken rules and historical bugs, with the seed that finds them")
  print "The property that sees it first, and the first of 200 random runs of two minutes that shows it (seeds from 0). What random runs do not show has a"
  print "run of its own, which `tests/explore.rs` searches and `tests/broken_rules.rs` plays."; print ""
  print "| rule | 3 servers | 5 servers |"; print "| --- | --- | --- |"
  for (i = 1; i <= count["rules"]; i++) { n = keys["rules", i]; print "| `" n "` | " three[n] " | " five[n] " |" }
}
function digests(    i, e) {
  title("digests", "Digests, natively and in browsers")
  print "| engine | scenarios | runs with a broken rule | |"; print "| --- | ---: | ---: | --- |"
  for (i = 1; i <= count["digests"]; i++) { e = keys["digests", i]; print "| " e " | " scenes[e] " | " rules_of[e] " | " equal[e] " |" }
}
function attacks(    i, k, all) {
  title("attacks", "Hostile inputs, no panic")
  print "Right inputs that were changed by a seed ([robustness](robustness.md)). What is accepted plays; what is refused gets a sentence."; print ""
  print "| kind | inputs | accepted | refused |"; print "| --- | ---: | ---: | ---: |"
  for (i = 1; i <= count["attacks"]; i++) { k = keys["attacks", i]; all += inputs[k]; print "| " k " | " thousands(inputs[k]) " | " thousands(accepted[k]) " | " thousands(refused[k]) " |" }
  print "| all | " thousands(all) " | | |"
}
function coverage(    i, r, f, rest) {
  title("coverage", "What of the protocol random runs reach")
  print "Lines of code that 900 random runs of two minutes (1 to 9 servers, `scripts/coverage`) ran, by room."; print ""
  print "| room | lines | never | reached |"; print "| --- | ---: | ---: | ---: |"
  for (i = 1; i <= count["coverage"]; i++) { r = keys["coverage", i]; print "| `" r "` | " lines[r] " | " never[r] " | " percent(lines[r] - never[r], lines[r]) " |" }
  print ""; print "Files with eight or more lines that never ran, and why; of the recipes by folder:"; print ""
  print "| where | lines | why |"; print "| --- | ---: | --- |"
  for (i = 1; i <= count["unreached"]; i++) {
    f = keys["unreached", i]
    if (missed[f] < 8) { rest += missed[f]; continue }
    print "| `" f "` | " missed[f] " | " because(f) " |"
  }
  print ""; print rest + 0 " lines more stand in files with fewer."
}
# why nothing runs there: the longest piece of the path that was judged
function because(file,    piece, best) {
  if (file ~ /rows\.rs$/) return why["rows.rs"]
  for (piece in why) if (index(file, piece) && length(piece) > length(best)) best = piece
  return best == "" ? "not judged" : why[best]
}
