import type { FakeApiRequest } from "../../../../src/testing/index.ts";
import { fillArguments, guessArguments } from "../fill-arguments.ts";
import { type OfferedTool, offeredTools } from "../offered-tools.ts";
import type { NextStep } from "../orders.ts";
import type { Step, Trick } from "../trick.ts";
import type { AttackedCli } from "./cli-tools.ts";
import { CLI_TOOLS } from "./clis/index.ts";

/**
 * Calls every tool: those that the CLI offers, those that it offers after deferred ones were loaded, and those that are only known,
 * directly and by tools that call others. One call for each answer, because some tools change what the next may do.
 */
export function sweepTools(cli: AttackedCli): NextStep {
  const { loaders, known, callers, specials } = CLI_TOOLS[cli];
  const offered = new Set<string>();
  const queue: Trick[] = loaders.map((call): Trick => ({ name: `load: ${call.name}`, prepares: true, toCall: () => call }));
  queue.push(...Object.entries(specials).map(([name, toCall]) => ({ name: `tool: ${name}`, toCall })));
  queue.push(
    ...known.map(
      (name) =>
        ({
          name: `known tool: ${name}`,
          probes: true,
          toCall: (place) => ({ name, input: guessArguments(place) }),
        }) satisfies Trick,
    ),
  );
  for (const [index, toCall] of callers.entries())
    for (const name of known)
      queue.push({
        name: `tool ${name} by caller ${index}`,
        probes: true,
        toCall: (place) => toCall(name, guessArguments(place)),
      });
  return (request) => {
    for (const tool of newTools(request, offered)) queue.push(...tricksOf(tool));
    const trick = queue.shift();
    return trick === undefined ? undefined : ([trick] satisfies Step);
  };
}

function newTools(request: FakeApiRequest, offered: Set<string>): readonly OfferedTool[] {
  const found = offeredTools(request).filter(({ name }) => !offered.has(name));
  for (const { name } of found) offered.add(name);
  return found;
}

function tricksOf({ name, namespace, schema }: OfferedTool): readonly Trick[] {
  if (schema === undefined) return [];
  const named = { name, ...(namespace !== undefined && { namespace }) };
  return [
    {
      name: `offered tool: ${name}`,
      probes: true,
      toCall: (place) => ({ ...named, input: fillArguments(schema, place, "required") }),
    },
    {
      name: `offered tool with everything: ${name}`,
      probes: true,
      toCall: (place) => ({ ...named, input: fillArguments(schema, place, "all") }),
    },
  ];
}
