/** A client of Coxswain as built into dist with its defaults; without warm processes, because these calls are cold. */
export async function openClient({ cli, command, apiUrl, dist }) {
  const { builtinProviders, createClient } = await import(dist);
  const builtin = builtinProviders.find((provider) => provider.id === cli);
  return createClient({
    providers: [cli === "codex" ? codexAt(apiUrl, builtin) : builtin],
    binaries: { [cli]: command },
    warm: false,
  });
}

/** Coxswain through its public API. */
export async function prepare(settings) {
  const { cli, workspace, model } = settings;
  const client = await openClient(settings);
  const target = `${cli}/${model}`;
  const toRequest = ({ variant, prompt, system }) => {
    if (variant === "agent") return { prompt, mode: "agent", cwd: workspace, permissions: { mode: "bypass" } };
    return variant === "plain" ? { prompt } : { prompt, system };
  };
  return {
    async ask(question, signal, onText) {
      const run = client.run(target, toRequest(question), { signal });
      for await (const event of run) if (event.type === "text-delta") onText();
      return (await run.result()).text;
    },
    plan(question) {
      const { plan, failure } = client.plan(target, toRequest(question));
      if (plan === undefined) throw new Error(failure.message);
      return plan;
    },
    close: () => client.close(),
  };
}

/** Codex takes its endpoint only from its configuration. */
function codexAt(url, codex) {
  const settings = [
    'model_provider="bench"',
    'model_providers.bench.name="bench"',
    `model_providers.bench.base_url="${url}/v1"`,
    'model_providers.bench.env_key="CODEX_API_KEY"',
    'model_providers.bench.wire_api="responses"',
    "model_providers.bench.request_max_retries=0",
    "model_providers.bench.stream_max_retries=0",
  ];
  const { spawn } = codex.transports;
  const launch = (request, options) => {
    const parts = spawn.launch(request, options);
    const [subcommand, ...rest] = parts.args;
    return { ...parts, args: [subcommand, ...settings.flatMap((setting) => ["-c", setting]), ...rest] };
  };
  return { ...codex, transports: { spawn: { ...spawn, launch } } };
}
