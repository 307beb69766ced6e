import { join } from "node:path";
import { type ServerType, serve } from "@hono/node-server";
import OpenAI, { type ClientOptions as OpenAiOptions } from "openai";
import { onTestFinished } from "vitest";
import { createGateway } from "../../src/gateway/create-gateway.ts";
import { type Client, type ClientOptions, createClient } from "../../src/index.ts";
import type { Provider } from "../../src/provider.ts";
import type { RequestOption } from "../../src/spec/provider/cli-data.ts";
import { openFleet, type SeenStart } from "../support/clis/open-fleet.ts";
import { playedCli } from "../support/clis/played-cli.ts";
import type { Play } from "../support/clis/plays.ts";
import { processesWith, untilGone } from "../support/processes/process-scan.ts";
import { openTestScope } from "../support/test-scope.ts";

/** A gateway on loopback, and OpenAI's official client for it. */
export type OpenGateway = {
  /** The base URL of OpenAI's clients. */
  readonly url: string;
  readonly client: Client;
  readonly openai: OpenAI;
};

/** A gateway over a CLI that plays the steps of a test, under the model name `plain`. */
export type PlayedGateway = OpenGateway & {
  starts(): number;
  /** What each start of the CLI received. */
  calls(): readonly SeenStart[];
  /** Resolves when no CLI is running. */
  untilQuiet(): Promise<void>;
};

const OPTIONS: readonly RequestOption[] = ["images", "effort", "max-output-tokens", "output-schema"];

/** Opens a gateway over a CLI whose n-th start plays the n-th play. */
export async function openPlayed(
  plays: readonly Play[],
  options: OpenAiOptions = {},
  supported: readonly RequestOption[] = OPTIONS,
): Promise<PlayedGateway> {
  const provider: Provider = { ...playedCli, options: [...playedCli.options, ...supported] };
  const { id } = provider;
  const fleet = openFleet({ [id]: plays }, { policies: false, changes: { [id]: provider } });
  return {
    ...(await serveClient(fleet.client, options)),
    starts: () => fleet.starts(id),
    calls: () => fleet.calls(id),
    untilQuiet: fleet.untilQuiet,
  };
}

/** Opens a gateway over the given CLIs; after the test it is closed, and none of its processes may be left. */
export async function openGateway(options: ClientOptions, openAiOptions: OpenAiOptions = {}): Promise<OpenGateway> {
  const { directory, env } = openTestScope();
  const state = { XDG_STATE_HOME: join(directory, "state") };
  const client = createClient({ ...options, env: { ...env, ...options.env, ...state, GATEWAY_TEST: directory } });
  onTestFinished(async () => {
    await client.close();
    await untilGone(() => processesWith("GATEWAY_TEST", directory));
  });
  return await serveClient(client, openAiOptions);
}

/** Serves a client until the end of the test. */
async function serveClient(client: Client, openAiOptions: OpenAiOptions): Promise<OpenGateway> {
  const server = await listen(client);
  onTestFinished(async () => {
    if ("closeAllConnections" in server) server.closeAllConnections();
    await new Promise((resolve) => server.close(resolve));
  });
  const address = server.address();
  const port = typeof address === "object" && address !== null ? address.port : 0;
  const url = `http://127.0.0.1:${port}/v1`;
  return { url, client, openai: new OpenAI({ baseURL: url, apiKey: "unused", ...openAiOptions }) };
}

async function listen(client: Client): Promise<ServerType> {
  return await new Promise((resolve) => {
    const app = createGateway({ client, token: false });
    const server = serve({ fetch: app.fetch, port: 0, hostname: "127.0.0.1" }, () => resolve(server));
  });
}
