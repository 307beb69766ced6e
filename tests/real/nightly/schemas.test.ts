import { describeSchemas, OTHER_SCHEMAS, SCHEMA_CLIS } from "../matrix/describe-schemas.ts";

for (const cli of Object.values(SCHEMA_CLIS)) describeSchemas(cli, OTHER_SCHEMAS);
