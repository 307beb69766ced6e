import { CLI_ROWS } from "../../../support/real-clis/rows/index.ts";
import { SHELL_TRICKS } from "../../../support/real-clis/shell-tricks.ts";
import type { Trick } from "../trick.ts";
import type { AttackedCli } from "./cli-tools.ts";
import type { Commands } from "./command.ts";
import { GIT_COMMANDS } from "./git-commands.ts";
import { INTERPRETERS } from "./interpreters.ts";
import { SHELL_GRAMMAR } from "./shell-grammar.ts";
import { WRITING_PROGRAMS } from "./writing-programs.ts";

const COMMANDS: Readonly<Record<string, Commands>> = {
  chain: SHELL_TRICKS,
  program: WRITING_PROGRAMS,
  interpreter: INTERPRETERS,
  grammar: SHELL_GRAMMAR,
  git: GIT_COMMANDS,
};

/** Commands that only one CLI reads in a way of its own. */
const OWN_COMMANDS: Partial<Record<AttackedCli, Commands>> = {
  codex: {
    "a patch by the shell": (file) => `apply_patch <<'END'\n*** Begin Patch\n*** Add File: ${file}\n+a\n*** End Patch\nEND`,
    "a patch by an argument": (file) => `apply_patch '*** Begin Patch\n*** Add File: ${file}\n+a\n*** End Patch'`,
  },
};

/** Commands of about this many bytes, the last word of which leaves a file. */
const LONG = [30_000, 60_000, 120_000];

/** The tricks with commands for the shell of a CLI. */
export function commandTricks(cli: AttackedCli): readonly Trick[] {
  const kinds = { ...COMMANDS, own: OWN_COMMANDS[cli] ?? {} };
  const temporary: Trick = {
    name: "temporary: a file in the shared temporary directory",
    toCall: (place) => CLI_ROWS[cli].shellCall(`touch ${place.temporary}/${place.mark}`),
  };
  const named = Object.entries(kinds).flatMap(([kind, commands]) =>
    Object.entries(commands)
      .filter(([name]) => !/long command/.test(name))
      .map(([name, toCommand]) => shellTrick(cli, `${kind}: ${name}`, toCommand)),
  );
  return [...named, temporary];
}

/** Long commands, beside a pattern with several stars. */
export function longTricks(cli: AttackedCli): readonly Trick[] {
  const words = (bytes: number): string => "a -- b ".repeat(Math.ceil(bytes / 7));
  return LONG.flatMap((bytes) => [
    shellTrick(cli, `long: ${bytes} bytes before a separator`, (file) => `file-tools ${words(bytes)}; touch ${file}`),
    shellTrick(cli, `long: ${bytes} bytes before a line`, (file) => `file-tools ${words(bytes)}\ntouch ${file}`),
  ]);
}

/** A trick with a command for the shell of a CLI. */
export function shellTrick(cli: AttackedCli, name: string, toCommand: (file: string) => string): Trick {
  return { name, toCall: ({ file }) => CLI_ROWS[cli].shellCall(toCommand(file)) };
}
