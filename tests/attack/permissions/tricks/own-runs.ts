import type { FakeToolCall } from "../../../../src/testing/index.ts";
import { subPrompt } from "../orders.ts";
import type { Step, Trick } from "../trick.ts";
import type { AttackedCli } from "./cli-tools.ts";
import { CLI_TOOLS } from "./clis/index.ts";
import { shellTrick } from "./command-tricks.ts";

/** What a model orders once it believes that it may: a few calls of each kind of tool. */
function afterwards(cli: AttackedCli, when: string): Step {
  const { makers, editors } = CLI_TOOLS[cli];
  const written = makers.map(
    ({ name, toCall }): Trick => ({
      name: `${when}: ${name}`,
      toCall: ({ mark, workspace }) => toCall(`${workspace}/${mark}`, mark),
    }),
  );
  const outside = makers.map(
    ({ name, toCall }): Trick => ({
      name: `${when}: ${name} outside`,
      toCall: ({ mark, outside: folder }) => toCall(`${folder}/${mark}`, mark),
    }),
  );
  const changed = editors.map(
    ({ name, toCall }): Trick => ({
      name: `${when}: ${name} of a file`,
      toCall: ({ mark, outside: folder }) => toCall(`${folder}/notes.txt`, `alpha ${mark}`),
    }),
  );
  const commands = [
    shellTrick(cli, `${when}: touch`, (file) => `touch ${file}`),
    shellTrick(cli, `${when}: a redirection`, (file) => `echo a > ${file}`),
    shellTrick(cli, `${when}: the configuration of git`, (file) => `git config ${file.split("/").at(-1)}.a b`),
    shellTrick(cli, `${when}: a program`, (file) => `leave-mark ${file.split("/").at(-1)}`),
  ];
  return [...written, ...outside, ...changed, ...commands];
}

/** The model leaves planning, in one of its ways, and then writes. */
export function planSteps(cli: AttackedCli): Readonly<Record<string, readonly Step[]>> {
  const entries = Object.entries(CLI_TOOLS[cli].plans).map(([name, calls]) => {
    const planning = calls.map((call): Step => [{ name: `plan: ${name}`, prepares: true, toCall: () => call }]);
    return [name, [...planning, afterwards(cli, `after it ${name}`)]] as const;
  });
  return Object.fromEntries(entries);
}

/** The steps of a model and of its sub-agents. */
type AgentSteps = { readonly main: readonly Step[]; readonly subs: readonly (readonly Step[])[] };

/** The model starts sub-agents, and those write with the tools that a request can name. */
export function agentSteps(cli: AttackedCli): AgentSteps {
  const variants = Object.entries(CLI_TOOLS[cli].agents).filter(([name]) => !WORKTREE.test(name));
  return withSubs(variants, (name) => [afterwards(cli, `sub-agent ${name}`)]);
}

/** The model starts sub-agents, some in worktrees, and those use the tools that leave something in their own way. */
export function furtherAgentSteps(cli: AttackedCli): AgentSteps {
  const { agents, specials } = CLI_TOOLS[cli];
  return withSubs(Object.entries(agents), (name) => [
    ...(WORKTREE.test(name) ? [afterwards(cli, `sub-agent ${name}`)] : []),
    Object.entries(specials).map(([tool, toCall]): Trick => ({ name: `sub-agent ${name}: ${tool}`, toCall })),
  ]);
}

const WORKTREE = /worktree|its own mode/;

function withSubs(
  variants: readonly (readonly [string, (prompt: string) => FakeToolCall])[],
  toSteps: (name: string) => readonly Step[],
): AgentSteps {
  const main = variants.map(
    ([name, toCall], index): Step => [{ name: `starts ${name}`, prepares: true, toCall: () => toCall(subPrompt(index)) }],
  );
  return { main, subs: variants.map(([name]) => toSteps(name)) };
}

/** The model calls the tool of a server that the request has, which writes a file. */
export function mcpSteps(cli: AttackedCli): readonly Step[] {
  const { mcpTool, callers } = CLI_TOOLS[cli];
  const tool = mcpTool("writer", "leave");
  const direct: Trick = {
    name: "server: its tool",
    toCall: ({ mark, outside }) => ({ ...tool, input: { path: `${outside}/${mark}` } }),
  };
  const called = callers.map(
    (toCall, index): Trick => ({
      name: `server: its tool by caller ${index}`,
      toCall: ({ mark, outside }) => toCall(tool.name, { path: `${outside}/${mark}` }),
    }),
  );
  return [direct, ...called].map((trick) => [trick]);
}
