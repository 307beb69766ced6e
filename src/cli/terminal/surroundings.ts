import { createHash } from "node:crypto";
import { readFileSync } from "node:fs";

type Environment = Readonly<Record<string, string | undefined>>;

/** Variables that say where a shell is shown or how it was started; no CLI asks another service because of them. */
const HARMLESS =
  /^(?:_|PWD|OLDPWD|SHLVL|TERM|TERM_.*|COLORTERM|COLORFGBG|COLUMNS|LINES|LS_COLORS|WINDOWID|DISPLAY|WAYLAND_DISPLAY|XAUTHORITY|SSH_(?:TTY|CLIENT|CONNECTION)|GPG_TTY|TTY|TMUX.*|STY|WINDOW|VTE_.*|KONSOLE_.*|ITERM_.*|KITTY_.*|WT_.*|XDG_(?:SESSION_.*|SEAT|VTNR)|INVOCATION_ID|JOURNAL_STREAM|SYSTEMD_EXEC_PID|MEMORY_PRESSURE_.*|npm_.*|NO_COLOR|FORCE_COLOR|COXSWAIN_(?:SERVE|PROVIDER|MODEL|SYSTEM))$/;

/** Rises when the lines between a terminal and `cox serve` change. */
const FORM = 1;

/**
 * A digest of what decides about an answer besides the request: the version of Coxswain and the environment, with its API keys and
 * profiles. A server with another one would answer by another login.
 */
export function surroundingsOf(env: Environment): string {
  const { version } = JSON.parse(readFileSync(new URL("../../../package.json", import.meta.url), "utf8"));
  const relevant = Object.entries(env)
    .filter(([name, value]) => value !== undefined && !HARMLESS.test(name))
    .toSorted(([one], [other]) => (one < other ? -1 : 1));
  return createHash("sha256")
    .update(JSON.stringify([FORM, version, relevant]))
    .digest("hex");
}
