// Writes the table of providers in README.md and the sentences about them below it, between their markers, from the registry; with --check only compares.
// Sentences of other pages that list CLIs are compared too.
import { readFileSync, writeFileSync } from "node:fs";
import { builtinProviders } from "../src/clis/index.ts";
import { capabilitiesOf, describeRange } from "../src/spec/provider/cli-data.ts";
import type { Provider } from "../src/spec/provider/provider.ts";
import type { NativeTools } from "../src/spec/provider/provider-facts.ts";

const begin = "<!-- generated: providers -->";
const end = "<!-- /generated -->";

/** The real CLIs; the rehearsal CLI is part of the package. */
const clis = builtinProviders.filter(({ binary }) => !("own" in binary));
const own = clis.filter((provider) => toolsOf(provider) !== undefined && toolsOf(provider)?.bridgeName === undefined);
const bridged = clis.filter((provider) => toolsOf(provider)?.bridgeName !== undefined);
const parking = clis.filter((provider) => toolsOf(provider)?.canPark === true);

const PIECES = { token: "tokens", message: "messages", none: "one piece" };

const sentences: readonly (readonly [page: string, sentence: string])[] = [
  ["docs/host-tools.md", `| CLIs with \`callTool\` | ${own.map(nameOf).join(", ")}; ${listed(bridged)} by [the bridge]`],
  ["docs/host-tools.md", `| CLIs without \`callTool\` | ${listed(parking)}, if`],
  ["docs/host-tools.md", `host tools are tools of ${listed(bridged)} too.`],
  [
    "docs/host-tools.md",
    `${listed(bridged.filter((provider) => parking.includes(provider)))} also tell when they have all calls`,
  ],
  ["docs/langchain.md", `With ${listed(parking)} the tools are tools of the CLI`],
  ["docs/gateway-anthropic.md", `On ${listed(parking)} the turn of the CLI stays open`],
];

const readme = new URL("../README.md", import.meta.url);
const before = readFileSync(readme, "utf8");
const [head, rest] = before.split(begin);
const tail = rest?.split(end)[1];
if (head === undefined || tail === undefined) throw new Error("README.md has lost its markers");
const after = `${head}${begin}\n${toTable()}\n\n${toSentences().join("\n")}\n${end}${tail}`;

const problems = sentences
  .filter(([page, sentence]) => !readFileSync(new URL(`../${page}`, import.meta.url), "utf8").includes(sentence))
  .map(([page, sentence]) => `${page} does not say, as the providers do: ${sentence}`);
if (!process.argv.includes("--check")) writeFileSync(readme, after);
else if (after !== before) problems.push("README.md is out of date: run npm run docs:providers");
for (const problem of problems) process.stderr.write(`${problem}\n`);
if (problems.length > 0) process.exitCode = 1;

function toTable(): string {
  const header = ["id", "CLI", "checked with", "text comes in", "your functions as tools", "images"];
  const rows = builtinProviders.map((provider) => {
    const { id, label, versionsChecked, binary, transports } = provider;
    const warmPieces = transports.resident?.traits?.streaming;
    const { streaming, images } = capabilitiesOf(provider);
    return [
      `\`${id}\``,
      label,
      "own" in binary ? "built in" : versionsChecked === undefined ? "" : describeRange(versionsChecked),
      warmPieces === undefined || warmPieces === streaming
        ? PIECES[streaming]
        : `${PIECES[streaming]}; warm: ${PIECES[warmPieces]}`,
      toolsOf(provider) === undefined ? "by text" : parking.includes(provider) ? "native" : "native with `callTool`",
      images ? "yes" : "no",
    ];
  });
  return [header, header.map(() => "---"), ...rows].map((cells) => `| ${cells.join(" | ")} |`).join("\n");
}

function toSentences(): readonly string[] {
  const withSchema = clis.filter((provider) => capabilitiesOf(provider).structuredOutput === "native");
  const warm = clis.filter((provider) => capabilitiesOf(provider).resident);
  const limited = clis.filter((provider) => capabilitiesOf(provider).ownTools !== "off");
  return [
    "- [Your functions](docs/host-tools.md) work with every CLI. `native`: the CLI has them as tools of its own. With `callTool`: only if you pass a function `callTool` that runs them. In all other cases the prompt describes them.",
    `- [Schemas](docs/structured-output.md) work with every CLI, and every answer is validated. ${listed(withSchema)} have an option of their own for them; the others get them in the prompt.`,
    `- [Warm processes](docs/warm.md) are those of ${listed(warm)}; the others start for each call.`,
    `- The own tools of ${listed(limited)} cannot be switched off; in a completion their calls fail.`,
  ];
}

function toolsOf({ transports: { spawn, resident } }: Provider): NativeTools | undefined {
  return spawn.nativeTools ?? resident?.nativeTools;
}

function nameOf({ id, label }: Provider): string {
  return { copilot: "Copilot", glm: "GLM", "grok-vibe": "grok-vibe" }[id] ?? label;
}

function listed(providers: readonly Provider[]): string {
  const names = providers.map(nameOf);
  return names.length < 2 ? names.join("") : `${names.slice(0, -1).join(", ")} and ${names.at(-1)}`;
}
