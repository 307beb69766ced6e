import type { Provider } from "../../../../src/spec/provider/provider.ts";
import type { FakeApiProtocol, FakeApiRequest, FakeToolCall } from "../../../../src/testing/index.ts";

/** The CLIs of this suite; all are installed from npm. */
export type CliName = "claude" | "codex" | "copilot" | "gemini" | "glm" | "grok" | "grok-vibe" | "opencode" | "qwen";

/** The packages of pinned-clis.json. */
export type PinName = "claude" | "codex" | "copilot" | "gemini" | "grok" | "grok-vibe" | "opencode" | "qwen";

/** The surroundings of a CLI in a test. */
export type Place = {
  /** The fake model API. */
  readonly url: string;
  readonly home: string;
};

/** The set-up of a real CLI against a fake model API. */
export type CliRow = {
  /** The id of its provider. */
  readonly name: CliName;
  /** The pinned package that contains it. */
  readonly pin: PinName;
  readonly protocol: FakeApiProtocol;
  /** The provider with the settings for the fake API, if the environment alone does not suffice. */
  readonly providerAt: (url: string) => Provider;
  /** Its variables besides the environment that all CLIs have. */
  readonly env: (place: Place) => Readonly<Record<string, string>>;
  /** The variable that contains its key. */
  readonly key: string;
  /** The variables of its login, if they are not its key. */
  readonly login?: readonly string[];
  /** Prepares the home so that no start unpacks or downloads anything. */
  readonly prepare?: (place: Place) => void;
  readonly target: string;
  /** The target for agents, if it is another one. */
  readonly agentTarget?: string;
  /** The model's call of its own shell. */
  readonly shellCall: (command: string) => FakeToolCall;
  /** Requests to the model that are not the caller's, such as for a title; they get a separate answer. */
  readonly isAside?: (request: FakeApiRequest) => boolean;
};
