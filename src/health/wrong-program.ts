import type { FoundBinary } from "../process/find-binary.ts";
import { createFailure } from "../spec/create-failure.ts";
import type { Failure } from "../spec/failure.ts";
import type { Provider } from "../spec/provider.ts";

/** The failure of another program with the same name, which is recognized by the output of its `--version`. */
export function wrongProgram(
  providers: readonly Provider[],
  provider: Provider,
  { command }: FoundBinary,
  printed: string,
): Failure | undefined {
  const { versionPattern, label, install } = provider;
  if (versionPattern === undefined || printed === "" || versionPattern.test(printed)) return undefined;
  const other = providers.find(
    (candidate) => candidate.id !== provider.id && shareName(candidate, provider) && candidate.versionPattern?.test(printed),
  );
  const is = other === undefined ? `calls itself "${printed.slice(0, 60)}"` : `is ${other.label}`;
  const use = other === undefined ? "" : `Use provider "${other.id}" for it, or install`;
  return createFailure("cli-missing", `${label} was not found: ${command} ${is}.`, {
    hint: `${use || "Install"} ${label} and set its path.`,
    ...(install !== "" && { fixCommand: install }),
  });
}

function shareName(one: Provider, other: Provider): boolean {
  const names = "names" in one.binary ? one.binary.names : [];
  return "names" in other.binary && other.binary.names.some((name) => names.includes(name));
}
