/** The command line that runs a program with an empty /proc, in user and mount namespaces of its own and with the same pid. */
export function withoutProc(command: readonly string[]): readonly [string, ...string[]] {
  return ["unshare", "-rm", "sh", "-c", 'mount -t tmpfs none /proc && exec "$@"', "-", ...command];
}
