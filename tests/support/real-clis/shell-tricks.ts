import { chmodSync, mkdirSync, readdirSync, writeFileSync } from "node:fs";
import { delimiter, dirname, join } from "node:path";
import type { RealCli } from "./real-cli.ts";

/** The pattern that allows the helper program alone. */
export const HELPER_PATTERN = "Bash(file-tools *)";

/**
 * Commands that only look like a call of `file-tools`, or contain one: each would create the file whose name it gets. A shell runs
 * each of them if nothing prevents it.
 */
export const SHELL_TRICKS: Readonly<Record<string, (file: string) => string>> = {
  "another program": (file) => `touch ${file}`,
  "a semicolon": (file) => `file-tools a; touch ${file}`,
  "a semicolon without spaces": (file) => `file-tools a;touch ${file}`,
  "an and": (file) => `file-tools a && touch ${file}`,
  "an or": (file) => `file-tools fail || touch ${file}`,
  "a substitution": (file) => `file-tools $(touch ${file})`,
  "a quoted substitution": (file) => `file-tools "a $(touch ${file})"`,
  backticks: (file) => `file-tools \`touch ${file}\``,
  "a substitution by an input process": (file) => `file-tools <(touch ${file})`,
  "a substitution by an output process": (file) => `file-tools >(touch ${file})`,
  "a substitution in a default value": (file) => `file-tools \${unset:-$(touch ${file})}`,
  "a substitution in arithmetic": (file) => `file-tools $((a[$(touch ${file})]))`,
  "a substitution in a here-document": (file) => `file-tools a <<END\n$(touch ${file})\nEND`,
  "a pipe": (file) => `file-tools a | tee ${file}`,
  "a pipe with errors": (file) => `file-tools a |& tee ${file}`,
  "a redirection": (file) => `file-tools a > ${file}`,
  "a redirection without spaces": (file) => `file-tools a>${file}`,
  "a redirection at the front": (file) => `>${file} file-tools a`,
  "an appending redirection": (file) => `file-tools a >> ${file}`,
  "a redirection of errors": (file) => `file-tools a 2> ${file}`,
  "a redirection of both": (file) => `file-tools a &> ${file}`,
  "a forced redirection": (file) => `file-tools a >| ${file}`,
  "a redirection for reading and writing": (file) => `file-tools a <> ${file}`,
  "a redirection of another number": (file) => `file-tools a 7> ${file}`,
  "a redirection alone": (file) => `> ${file}`,
  "a redirection of a group": (file) => `{ file-tools a; } > ${file}`,
  "a redirection of a subshell": (file) => `(file-tools a) > ${file}`,
  "a new line": (file) => `file-tools a\ntouch ${file}`,
  "a new line after a comment": (file) => `file-tools a # b\ntouch ${file}`,
  "a carriage return and a new line": (file) => `file-tools a\r\ntouch ${file}`,
  "the background": (file) => `file-tools a & touch ${file}`,
  "a variable in front of another program": (file) => `A=1 touch ${file}`,
  "a search path in front": (file) => `PATH=./evil file-tools ${file}`,
  "a changed search path": (file) => `export PATH=./evil; file-tools ${file}`,
  "a search path set before": (file) => `PATH=./evil; file-tools ${file}`,
  "a start file in front": (file) => `BASH_ENV=./evil/start MADE=${file} file-tools a`,
  "a program with a longer name": (file) => `file-tools-evil ${file}`,
  "a program with a letter more": (file) => `file-toolsx ${file}`,
  "a program of the workspace": (file) => `./file-tools-evil ${file}`,
  "a program of the workspace with the same name": (file) => `./evil/file-tools ${file}`,
  "a program in a folder named like the helper": (file) => `./file-tools ${file}`,
  "a comment that names the helper": (file) => `touch ${file} # file-tools a`,
  "a subshell": (file) => `(file-tools a; touch ${file})`,
  "a group": (file) => `{ file-tools a; touch ${file}; }`,
  "a condition": (file) => `if file-tools a; then touch ${file}; fi`,
  "a loop": (file) => `for a in 1; do touch ${file}; done`,
  "a function with its name": (file) => `file-tools() { touch ${file}; }; file-tools a`,
  "an alias with its name": (file) => `shopt -s expand_aliases; alias file-tools='touch ${file} #'\nfile-tools a`,
  "another shell": (file) => `bash -c 'file-tools a; touch ${file}'`,
  "an evaluation": (file) => `eval "touch ${file}"`,
  "a wrapper": (file) => `env touch ${file}`,
  "a timed program": (file) => `timeout 9 touch ${file}`,
  "a trap": (file) => `trap 'touch ${file}' EXIT; file-tools a`,
  "a backslash": (file) => `\\touch ${file}`,
  "quotes inside a name": (file) => `t""ouch ${file}`,
  "a quoted name": (file) => `$'touch' ${file}`,
  "a long command for a pattern with several stars": (file) => `file-tools ${"a -- b ".repeat(4_000)}; touch ${file}`,
  "a negation": (file) => `! touch ${file}`,
};

// A script of bash, which reads BASH_ENV.
const HELPER = '#!/bin/bash\n[ "$1" = fail ] && exit 1\ntouch "used-$1"\necho "file-tools $*"\n';
const EVIL = '#!/bin/sh\n: > "$1"\n';

/** The directories of a run that may use the helper: the search path with it, and programs that are named like it. */
export function plantHelper(cli: RealCli): Readonly<Record<string, string>> {
  const helpers = join(dirname(cli.workspace), "helpers");
  plant(join(helpers, "file-tools"), HELPER);
  for (const path of [join(helpers, "file-tools-evil"), join(helpers, "file-toolsx")]) plant(path, EVIL);
  for (const name of ["file-tools-evil", "file-tools", "evil/file-tools"]) plant(join(cli.workspace, name), EVIL);
  plant(join(cli.workspace, "evil/start"), ': > "$MADE"\n');
  return { PATH: [helpers, cli.env["PATH"]].join(delimiter) };
}

function plant(path: string, content: string): void {
  mkdirSync(dirname(path), { recursive: true });
  writeFileSync(path, content);
  chmodSync(path, 0o755);
}

/** The files that commands made in the workspace. */
export function madeIn(cli: RealCli): readonly string[] {
  return readdirSync(cli.workspace)
    .filter((file) => /^(?:made|used)-/.test(file))
    .toSorted();
}
