import { win32 } from "node:path";

/** The arguments of cmd.exe, which are passed to it verbatim; or the errno of a command line that cmd.exe cannot take. */
export type BatchCommand = { readonly args: readonly string[] } | { readonly errno: "EINVAL" | "E2BIG" };

/** Whether Windows runs a program by cmd.exe. npm installs each CLI as such a file, which passes its arguments on. */
export function isBatchFile(command: string): boolean {
  return /\.(?:cmd|bat)$/i.test(command);
}

/** cmd.exe takes at most this many characters. */
const LONGEST_LINE = 8191;

/**
 * The command line that passes arguments through a batch file unchanged. cmd.exe reads them twice, once to start the file and once
 * where the file passes them on (`%*`), so each character with a meaning is escaped twice. A line break ends the command line and
 * has no escape. Untested on Windows.
 */
export function toBatchCommand(command: string, args: readonly string[]): BatchCommand {
  if ([command, ...args].some((text) => /[\r\n]/.test(text))) return { errno: "EINVAL" };
  const words = [escapeOnce(win32.normalize(command)), ...args.map((arg) => escapeOnce(escapeOnce(quote(arg))))];
  const line = `"${words.join(" ")}"`;
  return line.length > LONGEST_LINE ? { errno: "E2BIG" } : { args: ["/d", "/s", "/c", line] };
}

/** Quotes an argument for the program: backslashes count only before a quote, where they are doubled. */
function quote(argument: string): string {
  const escaped = argument.replace(/(\\*)("|$)/g, (_, slashes: string, mark: string) => {
    return slashes + slashes + (mark === '"' ? '\\"' : "");
  });
  return `"${escaped}"`;
}

/** The characters that have a meaning for cmd.exe, inside and outside of quotes. */
const MEANING = /[()[\]%!^"`<>&|;, *?]/g;

function escapeOnce(text: string): string {
  return text.replace(MEANING, "^$&");
}
