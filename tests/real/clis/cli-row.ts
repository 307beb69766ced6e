import type { Provider } from "../../../src/spec/provider.ts";
import type { FakeApiProtocol, FakeApiRequest, FakeToolCall } from "../../../src/testing/index.ts";

/** The CLIs of this suite; all are installed from npm. */
export type CliName = "claude" | "codex" | "copilot" | "gemini" | "glm" | "grok" | "grok-vibe" | "opencode" | "qwen";

/** The packages of pinned-clis.json. */
export type PinName = "claude" | "codex" | "copilot" | "gemini" | "grok" | "grok-vibe" | "opencode" | "qwen";

/** Where a CLI is set up for a test. */
export type Place = {
  /** The fake model API. */
  readonly url: string;
  readonly home: string;
  /** For temporary files. */
  readonly temporary: string;
};

/** How a real CLI is set up against a fake model API. */
export type CliRow = {
  /** The id of its provider. */
  readonly name: CliName;
  /** The pinned package that brings it. */
  readonly pin: PinName;
  readonly protocol: FakeApiProtocol;
  /** The provider with what points it at the fake API, where the environment alone does not. */
  readonly providerAt: (url: string) => Provider;
  /** What it inherits besides the environment that all have. */
  readonly env: (place: Place) => Readonly<Record<string, string>>;
  /** The variable with its key. */
  readonly key: string;
  /** The variables without which nobody is logged in, where that is not its key. */
  readonly login?: readonly string[];
  /** Puts into the home what keeps each start from unpacking or fetching. */
  readonly prepare?: (place: Place) => void;
  readonly target: string;
  /** The target for agents, where it is another one. */
  readonly agentTarget?: string;
  /** A call of its own shell as the model makes it. */
  readonly shellCall: (command: string) => FakeToolCall;
  /** Requests for the model that are not the caller's, such as for a title; they are answered on the side. */
  readonly isAside?: (request: FakeApiRequest) => boolean;
};
