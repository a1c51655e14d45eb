import { chooseProfile, listProfiles, profilesPath, saveProfile, useProfile } from '../profiles.ts'
import { withExamples } from '../program.ts'
import type { Define } from '../table.ts'

type Options = { use?: string; forget?: string }

export const define: Define = (command, run) => {
  command
    .description(
      'Lists the profiles: an address, a client id and its secret under a name. `*` marks the one that is used.',
    )
    .option('--use <name>', 'use this one from now on')
    .option('--forget <name>', 'remove this one from the file')
  withExamples(command, [
    ['lodgeway profiles', ''],
    ['lodgeway profiles --use sandbox-lender', ''],
  ])
    .addHelpText('after', ENVIRONMENT)
    .action(
      run(async ({ print, json, terminal: { env } }, { use, forget }: Options) => {
        if (use) useProfile(env, use)
        if (forget) saveProfile(env, forget, undefined)
        const used = chooseProfile(env, {})
        const all = used.source === 'environment' ? [used, ...listProfiles(env)] : listProfiles(env)
        const shown = all.map(({ name, url, clientId, source, secretCommand }) => ({
          name,
          used: name === used.name,
          url: name === used.name ? used.url : url,
          clientId,
          secret: secretCommand ? 'by command' : 'kept',
          source,
        }))
        if (json) return print.json({ file: profilesPath(env), profiles: shown })
        print.table(
          ['', 'profile', 'address', 'client', 'secret', 'from'],
          shown.map((one) => [one.used ? '*' : '', one.name, one.url, one.clientId, one.secret, one.source]),
        )
      }),
    )
}

const ENVIRONMENT = `
They are in $XDG_CONFIG_HOME/lodgeway/profiles.json, which only you may read. Instead of clientSecret one may have
secretCommand, which prints it: "secretCommand": "pass show lodgeway". LODGEWAY_URL, LODGEWAY_CLIENT_ID,
LODGEWAY_CLIENT_SECRET and LODGEWAY_PROFILE win over the file, --profile and --url over both.`
