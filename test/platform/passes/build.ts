// Another process: writes the sample pass, signed with the certificate that its environment names.
import { loadConfig } from '../../../src/config.ts';
import type { Db } from '../../../src/platform/database/database.ts';
import { createLog } from '../../../src/platform/operations/log.ts';
import { openPasses } from '../../../src/platform/passes/passes.ts';
import { design, state } from './sample.ts';

const config = loadConfig(process.env);
const passes = await openPasses({ config, db: {} as Db, log: createLog('silent') });
process.stdout.write(await passes.pass(design, state).build());
