# Called by scripts/bench: awk -f scripts/figures.awk [-v keep=STAMP] docs/figures.md MEASURED. Prints the middle of what was measured
# beside what is kept there; with `keep` the document, with what was measured in place of what was kept.
BEGIN { FS = "\t" }
FNR == NR && /^\| / && !/^\| (what|---)/ {
  split($0, cell, / *\| */)
  if (!(cell[2] in unit)) { order[++figures] = cell[2] }
  unit[cell[2]] = cell[3]; kept[cell[2]] = cell[4]; stamp[cell[2]] = cell[5]
  next
}
FNR == NR { if (!/^\| /) { text[++lines] = $0 }; next }
$1 == "figure" {
  if (!($2 in unit)) { order[++figures] = $2 }
  unit[$2] = $3
  value[$2, ++count[$2]] = $4
}
function middle(name, at, other, number) {
  for (at = 2; at <= count[name]; at++) {
    number = value[name, at]
    for (other = at - 1; other >= 1 && value[name, other] + 0 > number + 0; other--) { value[name, other + 1] = value[name, other] }
    value[name, other + 1] = number
  }
  return value[name, int((count[name] + 1) / 2)]
}
END {
  if (keep != "") { for (at = 1; at <= lines; at++) { print text[at] } }
  print keep != "" ? "| what | unit | figure | kept |\n| --- | --- | ---: | --- |" : sprintf("%-64s %14s %14s %7s  %s", "", "kept", "now", "ratio", "unit")
  for (at = 1; at <= figures; at++) {
    name = order[at]
    now = name in count ? middle(name) : ""
    if (keep != "") {
      printf "| %s | %s | %s | %s |\n", name, unit[name], now != "" ? now : kept[name], now != "" ? keep : stamp[name]
    } else if (now != "") {
      ratio = kept[name] + 0 > 0 ? sprintf("%.2f", now / kept[name]) : ""
      printf "%-64s %14s %14s %7s  %s\n", name, kept[name], now, ratio, unit[name]
    }
  }
}
