# Called by scripts/bench: awk -f scripts/figures.awk [-v keep=STAMP] docs/figures.md MEASURED. Prints the middle of what was measured
# beside what is kept there; with `keep` the document, with what was measured in place of what was kept. A figure of somebody else's page
# has its name in a fifth field; the table has a column for each.
BEGIN { FS = "\t"; peer[1] = ""; peer[2] = "RaftScope"; peer[3] = "The Secret Lives of Data"; pages = 3 }
FNR == NR && /^\| / && !/^\| (what|---)/ {
  split($0, cell, / *\| */)
  know(cell[2], cell[3])
  for (at = 1; at <= pages; at++) { kept[cell[2], peer[at]] = cell[3 + at] }
  stamp[cell[2]] = cell[4 + pages]
  next
}
FNR == NR { if (!/^\| /) { text[++lines] = $0 }; next }
$1 == "figure" {
  know($2, $3)
  value[$2, $5, ++count[$2, $5]] = $4
}
function know(name, its) {
  if (!(name in unit)) { order[++figures] = name }
  unit[name] = its
}
# nothing where nothing was measured
function middle(name, who, at, other, number, last) {
  last = count[name, who]
  if (!last) { return "" }
  for (at = 2; at <= last; at++) {
    number = value[name, who, at]
    for (other = at - 1; other >= 1 && value[name, who, other] + 0 > number + 0; other--) {
      value[name, who, other + 1] = value[name, who, other]
    }
    value[name, who, other + 1] = number
  }
  return value[name, who, int((last + 1) / 2)]
}
function document(at, page, name, now, line, measured) {
  for (at = 1; at <= lines; at++) { print text[at] }
  print "| what | unit | figure | " peer[2] " | " peer[3] " | kept |\n| --- | --- | ---: | ---: | ---: | --- |"
  for (at = 1; at <= figures; at++) {
    name = order[at]
    line = "| " name " | " unit[name] " |"
    measured = 0
    for (page = 1; page <= pages; page++) {
      now = middle(name, peer[page])
      if (now != "") { measured = 1 }
      now = (now != "") ? now : kept[name, peer[page]]
      line = line (now != "" ? " " now " |" : " |")
    }
    print line " " (measured ? keep : stamp[name]) " |"
  }
}
function beside(at, page, name, now, old, ratio) {
  printf "%-88s %14s %14s %7s  %s\n", "", "kept", "now", "ratio", "unit"
  for (at = 1; at <= figures; at++) {
    for (page = 1; page <= pages; page++) {
      name = order[at]
      now = middle(name, peer[page])
      old = kept[name, peer[page]]
      if (now == "") { continue }
      if (page > 1) { name = name " (" peer[page] ")" }
      ratio = (old + 0 > 0) ? sprintf("%.2f", now / old) : ""
      printf "%-88s %14s %14s %7s  %s\n", name, old, now, ratio, unit[order[at]]
    }
  }
}
END { if (keep != "") { document() } else { beside() } }
