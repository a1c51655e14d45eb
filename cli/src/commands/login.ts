import { profilesPath, SANDBOX_URL, saveProfile } from '../profiles.ts'
import { withExamples } from '../program.ts'
import { openQuestions } from '../questions.ts'
import { openSession } from '../session.ts'
import type { Define } from '../table.ts'

type Options = { profile?: string; url?: string; clientId?: string }

export const define: Define = (command, run) => {
  command
    .description('Asks for a client id and its secret, tries them, and keeps them in a profile that only you may read.')
    .option('--client-id <id>', 'the client id, instead of asking for it')
  withExamples(command, [
    ['lodgeway login --url https://api.example --profile live', ''],
    ['pass show lodgeway | lodgeway login --url https://api.example --client-id acme', 'the secret from a pipe'],
  ]).action(
    run(async ({ terminal, print, json }, { profile, url, clientId }: Options) => {
      const questions = openQuestions(terminal)
      const given = { url: url ?? '', clientId: clientId ?? '', clientSecret: '' }
      try {
        given.url ||= (await questions.ask(`Address of the service [${SANDBOX_URL}]: `)).trim() || SANDBOX_URL
        given.clientId ||= (await questions.ask('Client id: ')).trim()
        given.clientSecret = (await questions.askSecretly('Secret (not shown): ')).trim()
      } finally {
        questions.close()
      }
      const env = {
        ...terminal.env,
        LODGEWAY_PROFILE: undefined,
        LODGEWAY_URL: given.url,
        LODGEWAY_CLIENT_ID: given.clientId,
        LODGEWAY_CLIENT_SECRET: given.clientSecret,
      }
      const connection = openSession({ ...terminal, env }, {}).connect()
      const [, isLive] = await Promise.all([connection.token(), connection.isLive()])
      const name = profile ?? given.clientId
      saveProfile(terminal.env, name, { ...given, url: connection.url })
      if (json) return print.json({ profile: name, url: connection.url, live: isLive })
      const where = isLive ? print.paint('red', 'live') : 'a sandbox'
      print.line(`Logged in to ${connection.url} (${where}) as ${given.clientId}.`)
      print.line(`The profile ${name} is used from now on; it is kept in ${profilesPath(terminal.env)}.`)
    }),
  )
}
