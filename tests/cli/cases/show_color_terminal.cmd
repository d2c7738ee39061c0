cat >terminal.py <<'END'
import os, pty, sys
# what a program prints to a terminal
child, end = pty.fork()
if child == 0:
    os.execvp(sys.argv[1], sys.argv[1:])
text = b""
while True:
    try:
        part = os.read(end, 4096)
    except OSError:
        break
    if not part:
        break
    text += part
os.waitpid(child, 0)
print("colour" if b"\033[" in text else "plain")
END
show() { env -u NO_COLOR TERM=xterm "$@" python3 terminal.py $ILCUDA show bin/Tutorial.dll RowSum $more; }
more= show
more= show NO_COLOR=1
more= show NO_COLOR=
more= show TERM=dumb
more="--color never" show
more="--color always" show NO_COLOR=1
env -u NO_COLOR $ILCUDA show bin/Tutorial.dll RowSum | grep -c "$(printf '\033')"
exit 0
