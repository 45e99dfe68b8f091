# Runs a browser's driver for as long as somebody holds our input open: keeper.sh FOLDER SCREEN DRIVER ARGUMENTS...
# A test that is killed thus leaves neither driver, browser nor profile behind. We lead a process group of our own.
folder=$1 screen=$2
shift 2
if [ "$screen" = screen ]; then
  mkfifo "$folder/display"
  Xvfb -displayfd 3 -screen 0 1600x1200x24 -nolisten tcp 3>"$folder/display" >/dev/null 2>&1 &
  read -r number <"$folder/display"
  export DISPLAY=":$number"
fi
"$@" &
# ours must not keep open what the driver closes when it ends
exec >/dev/null 2>&1
cat
trap '' TERM
kill -TERM 0
sleep 0.05
rm -rf "$folder"
kill -KILL 0
