// Writes the table of providers in README.md between its markers from the registry; with --check only compares.
import { readFileSync, writeFileSync } from "node:fs";
import { builtinProviders } from "../src/clis/index.ts";
import { capabilitiesOf, describeRange } from "../src/spec/provider/cli-data.ts";
import type { Provider } from "../src/spec/provider/provider.ts";

const path = new URL("../README.md", import.meta.url);
const begin = "<!-- generated: providers -->";
const end = "<!-- /generated -->";

const header = ["id", "CLI", "checked with", "streams", "own tools off", "host tools", "schema", "images", "install"];
const table = [header, header.map(() => "---"), ...builtinProviders.map(toCells)]
  .map((cells) => `| ${cells.join(" | ")} |`)
  .join("\n");

const before = readFileSync(path, "utf8");
const [head, rest] = before.split(begin);
const tail = rest?.split(end)[1];
if (head === undefined || tail === undefined) throw new Error("README.md has lost its markers");
const after = `${head}${begin}\n${table}\n${end}${tail}`;

if (!process.argv.includes("--check")) writeFileSync(path, after);
else if (after !== before) {
  process.stderr.write("README.md is out of date: run npm run docs:providers\n");
  process.exitCode = 1;
}

function toCells(provider: Provider): readonly string[] {
  const { id, label, versionsChecked, install, binary } = provider;
  const { streaming, ownTools, hostTools, structuredOutput, images } = capabilitiesOf(provider);
  return [
    `\`${id}\``,
    label,
    "own" in binary ? "built in" : versionsChecked === undefined ? "" : describeRange(versionsChecked),
    { token: "tokens", message: "messages", none: "no" }[streaming],
    ownTools === "off" ? "yes" : "no",
    hostTools === "native" ? "native" : "by text",
    structuredOutput === "native" ? "native" : "by text",
    images ? "yes" : "no",
    "own" in binary ? "" : `\`${install}\``,
  ];
}
