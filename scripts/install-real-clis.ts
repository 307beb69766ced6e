// Installs the pinned real CLIs for tests/real into .cache/real-clis, once, and their oldest versions into its folder `oldest`;
// never dependencies of the package. The programs that the tests point at the gateway are installed into its folder `programs`.
// With names of CLIs as arguments it installs only these.
import { join } from "node:path";
import { installPackages, type Packages } from "./real-clis/install-packages.ts";
import { PINNED_PROGRAMS, PINS, pinOf, ROOT } from "./real-clis/pins.ts";

const names = process.argv.length > 2 ? process.argv.slice(2) : Object.keys(PINS);
const folders = new Map<string, Packages>();

for (const name of names) {
  const { package: wanted, version, oldest, folder = "." } = pinOf(name);
  folders.set(folder, { ...folders.get(folder), [wanted]: version });
  if (oldest !== undefined) folders.set("oldest", { ...folders.get("oldest"), [wanted]: oldest });
}

if (process.argv.length <= 2) folders.set("programs", PINNED_PROGRAMS);

for (const [folder, wanted] of folders) installPackages(join(ROOT, ".cache/real-clis", folder), wanted);
