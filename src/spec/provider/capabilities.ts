/**
 * An option of a request besides prompt, system prompt, mode, model and timeouts; a provider lists the options that it supports.
 */
export type RequestOption = (typeof REQUEST_OPTIONS)[number];

/** All of them. */
export const REQUEST_OPTIONS = [
  "system-append",
  "add-dirs",
  "tool-patterns",
  "denial-reports",
  "background-off",
  "session-id",
  "session-resume",
  "session-fork",
  "mcp-stdio",
  "mcp-http",
  "mcp-sse",
  "mcp-reports",
  "output-schema",
  "max-turns",
  "max-output-tokens",
  "effort",
  "images",
  "profile",
] as const;

/** Traits of a CLI that do not depend on a request option; each provider states them. */
export type CliTraits = {
  readonly streaming: "token" | "message" | "none";
  readonly reasoning: boolean;
  /** What a system prompt of a request does: it replaces the CLI's own, is appended to it, or is not supported. */
  readonly systemPrompt: "replace" | "append" | "none";
  /** Whether the CLI's own tools can be switched off completely, or only restricted. */
  readonly ownTools: "off" | "restrict";
  readonly usage: "turn" | "thread" | "none";
  readonly cost: boolean;
  /** Whether the host can be asked before a tool runs; false by default. */
  readonly permissionRequests?: boolean;
};

/** What a provider supports; used by adapters, `requires` and `cox providers`. */
export type Capabilities = Required<CliTraits> & {
  readonly sessions: boolean;
  /** Whether the CLI can offer host tools as tools of its own; by text they work with every CLI. */
  readonly hostTools: "native" | "text";
  readonly mcp: readonly ("stdio" | "http" | "sse")[];
  readonly structuredOutput: "native" | "text";
  readonly images: boolean;
  readonly resident: boolean;
};

/** The capabilities of a provider, from its traits and its options. */
export function capabilitiesOf(provider: {
  readonly traits: CliTraits;
  readonly options: readonly RequestOption[];
  readonly transports?: {
    readonly spawn?: { readonly nativeTools?: object };
    readonly resident?: { readonly traits?: Partial<CliTraits>; readonly nativeTools?: object };
  };
}): Capabilities {
  const { spawn, resident } = provider.transports ?? {};
  const has = (option: RequestOption): boolean => provider.options.includes(option);
  return {
    ...provider.traits,
    permissionRequests: provider.traits.permissionRequests ?? resident?.traits?.permissionRequests ?? false,
    sessions: has("session-resume"),
    hostTools: (spawn?.nativeTools ?? resident?.nativeTools) === undefined ? "text" : "native",
    mcp: (["stdio", "http", "sse"] as const).filter((transport) => has(`mcp-${transport}`)),
    structuredOutput: has("output-schema") ? "native" : "text",
    images: has("images"),
    resident: resident !== undefined,
  };
}

/**
 * The oldest and the newest version of a CLI that a provider was tested with; versions between them are assumed to work alike.
 */
export type VersionRange = { readonly oldest: string; readonly newest: string };

/** Whether a version is inside the tested range, newer or older. */
export type VersionPlace = "checked" | "newer" | "older";

/** Compares a version with the tested range. */
export function placeVersion(version: string, { oldest, newest }: VersionRange): VersionPlace {
  if (compareVersions(version, newest) > 0) return "newer";
  return compareVersions(version, oldest) < 0 ? "older" : "checked";
}

/** The range as text: one version, or the first and the last. */
export function describeRange({ oldest, newest }: VersionRange): string {
  return oldest === newest ? newest : `${oldest} to ${newest}`;
}

/** Negative when the first version is older. Suffixes such as `-beta.2` are ignored. */
export function compareVersions(one: string, other: string): number {
  const [left, right] = [numbersOf(one), numbersOf(other)];
  for (let index = 0; index < Math.max(left.length, right.length); index += 1) {
    const difference = (left[index] ?? 0) - (right[index] ?? 0);
    if (difference !== 0) return difference;
  }
  return 0;
}

function numbersOf(version: string): readonly number[] {
  return (/^\d+(?:\.\d+)*/.exec(version)?.[0] ?? "0").split(".").map(Number);
}
