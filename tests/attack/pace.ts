/** What the work below takes on the machine on which the limits were set, in milliseconds of CPU time. */
const USUAL_MS = 6;

const TEXT = JSON.stringify(
  Array.from({ length: 20_000 }, (_, number) => ({ number, text: "lorem ipsum dolor", list: [number] })),
);

/** How many times slower this machine is than the one on which the limits were set; never below 1. */
export function measurePace(): number {
  const times = Array.from({ length: 10 }, () => {
    const before = process.threadCpuUsage();
    JSON.parse(TEXT);
    const { user, system } = process.threadCpuUsage(before);
    return (user + system) / 1000;
  });
  return Math.max(1, Math.min(...times) / USUAL_MS);
}
