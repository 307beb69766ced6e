// Prints one line when the registry has newer versions of the pinned CLIs; never fails.
import { findNewerVersions } from "./real-clis/newest-versions.ts";

const newer = await findNewerVersions();
const words = newer.map(({ name, newest, pinned }) => `${name} ${newest} (pinned ${pinned})`);
if (words.length > 0) console.log(`ci: newer CLIs: ${words.join(", ")}; npm run drift -- --cli <name> shows what they change`);
