import { built } from "./built.ts";
import { instantProvider } from "./instant-provider.ts";
import { interleave } from "./measure.ts";

/** The time in milliseconds that the policies add to a call that succeeds at once: with the defaults, and with every policy on. */
export async function measurePolicies(recorded: string): Promise<{ readonly byDefault: number; readonly all: number }> {
  const providers = ["one", "two", "three"].map((id) => instantProvider(id, recorded));
  const open = (policies: Parameters<typeof built.createClient>[0]) => built.createClient({ providers, ...policies });
  const clients = {
    none: open({ policies: false }),
    byDefault: open({}),
    all: open({ policies: { budget: { usd: 1e6, tokens: 1e12 } } }),
  };
  const request = { prompt: "hello" };
  const medians = await interleave(400, {
    none: () => clients.none.run("one", request).result(),
    byDefault: () => clients.byDefault.run("one", request).result(),
    all: () => clients.all.run(["one", "two", "three"], request).result(),
  });
  for (const client of Object.values(clients)) await client.close();
  const { none, byDefault, all } = medians;
  if (none === undefined || byDefault === undefined || all === undefined) throw new Error("nothing was measured");
  return { byDefault: byDefault.cpuMs - none.cpuMs, all: all.cpuMs - none.cpuMs };
}
