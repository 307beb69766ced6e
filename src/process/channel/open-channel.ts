import type { ProcessPlan } from "../../spec/provider/launch-plan.ts";
import { openProcess } from "../child/open-process.ts";
import { Supervisor } from "../child/supervise.ts";
import type { ChannelOptions, OpenedChannel } from "./channel.ts";
import { ProcessChannel } from "./process-channel.ts";

/** Starts a process and sends what its wire sends before the first turn. */
export function openChannel(plan: ProcessPlan, options: ChannelOptions): OpenedChannel {
  const { wire, lineBytes, isWarm = false, onIdle = () => {}, ...process } = options;
  const channel = new ProcessChannel(wire, isWarm, lineBytes, onIdle);
  const opened = openProcess(plan, {
    ...process,
    onStdout: channel.reader.read,
    onStderr: channel.sawStderr,
    onEnd: channel.readEnd,
  });
  if (!(opened instanceof Supervisor)) return opened;
  try {
    channel.attach(opened);
  } catch (error) {
    opened.stop();
    throw error;
  }
  return channel;
}
