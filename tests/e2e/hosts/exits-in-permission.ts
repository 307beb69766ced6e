// Exits while a program asks whether its tool may run.
import { createClient } from "../../../src/index.ts";
import { programProvider } from "../../support/clis/program-provider.ts";

const client = createClient({ policies: false, providers: [programProvider("asks-permission")] });
await client.run("bad", { prompt: "Hi.", mode: "agent" }, { onPermission: () => process.exit(0) }).outcome();
