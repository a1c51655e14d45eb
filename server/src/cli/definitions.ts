// Long because every command of an operator is listed here.
// What the operator's commands take, for parsing, help and completion. What they do is in the file of their group.

/** `use` has the words after the group, then its arguments. */
export type Definition = {
  use: string
  about: string
  options?: Readonly<Record<string, string>>
  examples?: readonly string[]
}

export type Group = { name: string; about: string; commands: readonly Definition[] }

const SUBSCRIBER = '<subscriber-id>'
const CLIENT = '<client-id>'

/** Whose data. */
const PERSON = {
  '--surname <surname>': 'of the person',
  '--forenames <forenames>': 'only people who have all of these',
  '--postcode <postcode>': 'only matters with this postcode',
  '--email <address>': 'of a person who uses the console',
}

/** Takes nothing. */
const PLAIN: Definition = { use: '', about: '' }

export const GROUPS: readonly Group[] = [
  { name: 'dev', about: 'the sandbox: the whole service on this machine, with sample data', commands: [PLAIN] },
  { name: 'serve', about: 'HTTP', commands: [PLAIN] },
  { name: 'work', about: 'jobs', commands: [PLAIN] },
  {
    name: 'migrate',
    about: 'bring the database up to this version, and grant a role its rights',
    commands: [
      { use: '', about: '', options: { '--for <part>': 'grant the role of DATABASE_URL the rights of serve or work' } },
    ],
  },
  {
    name: 'subscriber',
    about: 'lenders and law firms',
    commands: [
      {
        use: 'add',
        about: 'add a lender or a law firm',
        options: {
          '--name <name>': 'its name',
          '--kind <kind>': 'lender or law-firm',
          '--four-eyes <on|off>': 'whether another person must approve (default: on)',
          '--reports <on|off>': 'whether reports are made each night (default: on)',
        },
        examples: ["lodgeway subscriber add --name 'Westbrook Bank plc' --kind lender"],
      },
      { use: 'list', about: 'list them' },
      { use: `suspend ${SUBSCRIBER}`, about: 'lock all its clients out' },
      { use: `resume ${SUBSCRIBER}`, about: 'let them in again' },
      {
        use: `account set ${SUBSCRIBER}`,
        about: 'set the account that a law firm pays from',
        options: {
          '--name <name>': 'of its holder',
          '--sort-code <code>': '6 digits',
          '--account <number>': '8 digits',
        },
      },
      {
        use: `decisions ${SUBSCRIBER} <any|people>`,
        about: 'say whether its clients may approve and authorise, or only people who sign in',
      },
    ],
  },
  {
    name: 'person',
    about: 'people who use the console',
    commands: [
      {
        use: 'invite <email>',
        about: 'make a link for somebody who will use the console',
        options: {
          '--name <name>': 'of the person',
          '--roles <roles>': 'one or more, with spaces or commas between them',
          '--subscriber <id>': 'whom they work for; left out for an operator',
        },
        examples: [
          "lodgeway person invite jo.marsh@harbour.example --name 'Jo Marsh' --roles approver --subscriber 20000000-0000-4000-8000-000000000001",
        ],
      },
      { use: 'list', about: 'list them' },
      { use: 'link <email>', about: 'make another link' },
      { use: 'roles <email>', about: 'set the roles of a person', options: { '--roles <roles>': 'one or more' } },
      { use: 'sign-out <email>', about: 'end the sessions of a person' },
      { use: 'disable <email>', about: 'lock a person out' },
    ],
  },
  {
    name: 'client',
    about: 'programs of subscribers that call the interface',
    commands: [
      {
        use: `add ${SUBSCRIBER}`,
        about: 'add a client, and print its secret',
        options: {
          '--scopes <scopes>': 'with spaces or commas between them; default: all',
          '--client-id <id>': 'its id',
        },
        examples: ["lodgeway client add 615cf415-14c6-456e-9d25-fca25be36989 --scopes 'x-api:view:reports'"],
      },
      { use: 'list', about: 'list them' },
      {
        use: `scopes ${CLIENT}`,
        about: 'set the scopes of a client',
        options: { '--scopes <scopes>': 'with spaces or commas between them; default: all' },
      },
      {
        use: `rotate ${CLIENT}`,
        about: 'print a new secret; the one before it goes on working',
        options: { '--retire-old': 'make no new secret: from now on only the newest works' },
        examples: ['lodgeway client rotate acme', 'lodgeway client rotate acme --retire-old'],
      },
      { use: `disable ${CLIENT}`, about: 'lock a client out' },
      { use: `enable ${CLIENT}`, about: 'let it in again' },
      {
        use: `log ${CLIENT}`,
        about: 'log its requests for a while; never bodies, never personal data',
        options: { '--hours <number>': 'for how long: 1 to 24', '--off': 'no longer' },
      },
    ],
  },
  {
    name: 'registry',
    about: 'accounts at HM Land Registry, and answers in doubt',
    commands: [
      {
        use: `account set ${SUBSCRIBER}`,
        about: 'store the account of a law firm',
        options: {
          '--username <name>': 'at the gateway',
          '--password-file <file>': 'a file with the password',
          '--certificate <file>': 'PEM',
          '--key <file>': 'PEM',
          '--telephone <number>': 'for the registry',
          '--warning-understood-by <email>': 'who has read the warning of docs/registry-hmlr.md',
        },
      },
      { use: `account show ${SUBSCRIBER}`, about: 'show it without its secrets' },
      { use: `account check ${SUBSCRIBER}`, about: 'ask the gateway whether it accepts it' },
      {
        use: `lender ${SUBSCRIBER}`,
        about: 'say how a lender is named to the registry',
        options: { '--kind <kind>': 'uk-company or other-organisation', '--number <number>': 'of the company' },
      },
      { use: 'reply list', about: 'list parts of answers that may not have arrived' },
      { use: 'reply release <lodgement> <letter> <part>', about: 'it has arrived' },
      { use: 'reply resend <lodgement> <letter> <part>', about: 'it has not: send it again' },
    ],
  },
  { name: 'key', about: 'signing keys', commands: [{ use: 'generate', about: 'a new signing key for SIGNING_KEYS' }] },
  {
    name: 'report',
    about: 'nightly reports',
    commands: [
      {
        use: 'generate',
        about: 'make the missing reports of a day',
        options: { '--date <date>': 'yyyy-mm-dd; default: yesterday' },
      },
    ],
  },
  {
    name: 'maintenance',
    about: 'stop partners for a while',
    commands: [
      { use: 'on', about: 'answer 503 to partners' },
      { use: 'off', about: 'serve them again' },
    ],
  },
  {
    name: 'job',
    about: 'jobs that failed too often',
    commands: [
      { use: 'dead', about: 'list them' },
      { use: 'retry <id...>', about: 'run some of them again, or all', examples: ['lodgeway job retry all'] },
    ],
  },
  {
    name: 'audit',
    about: 'the record of every change',
    commands: [
      {
        use: 'verify',
        about: 'check that the audit is whole; exit code 1 if it is not',
        options: {
          '--anchor <hash>': 'that it contains this anchor, which you stored elsewhere',
          '--pack <file>': 'check an evidence pack instead, without the service',
        },
      },
    ],
  },
  {
    name: 'restore',
    about: 'a database that was restored from a backup',
    commands: [
      {
        use: 'begin',
        about: 'before anything is started on it: maintenance on, and no position of the feed used again',
      },
      {
        use: 'check',
        about:
          'compare files with their rows, verify the audit, show what is lost and what will run; exit code 1 if not whole',
        options: {
          '--sample <percent>':
            'read this share of the files, chosen at random; existence and size are checked of all (default: 100)',
          '--after <hash>': 'go on after this file, where an earlier check was interrupted',
          '--anchor <hash>': 'that the audit contains this anchor, which you stored elsewhere',
          '--sweep-orphans': 'have the nightly sweep remove the files that no row names',
          '--json': 'print the report as JSON',
        },
        examples: ['lodgeway restore check', 'lodgeway restore check --sample 5 --json'],
      },
    ],
  },
  {
    name: 'retention',
    about: 'erasing what is no longer kept',
    commands: [
      { use: 'status', about: 'what is due, what keeps it, and which holds there are' },
      {
        use: 'hold <workspace-id>',
        about: 'keep a matter until the hold is released',
        options: { '--reason <reason>': 'why; it is recorded in the audit' },
        examples: [
          "lodgeway retention hold 615cf415-14c6-456e-9d25-fca25be36989 --reason 'claim 4711 before the court'",
        ],
      },
      { use: 'release <workspace-id>', about: 'release the hold on a matter' },
      { use: 'pause', about: 'erase nothing for a while' },
      { use: 'resume', about: 'erase again' },
      { use: 'run', about: 'erase now instead of in the night' },
    ],
  },
  {
    name: 'subject',
    about: 'requests of people about their data',
    commands: [
      {
        use: 'export',
        about: 'write everything about a person into a ZIP',
        options: { ...PERSON, '--out <file>': 'the ZIP to write', '--json': 'print the report as JSON' },
        examples: ["lodgeway subject export --surname Prynne --forenames 'Tracey' --out prynne.zip"],
      },
      {
        use: 'erase',
        about: 'erase what need not be kept about a person, and report what was erased and what stays',
        options: {
          ...PERSON,
          '--dry-run': 'change nothing, and say what would be erased',
          '--out <file>': 'write the report to this file as JSON',
          '--json': 'print it as JSON',
        },
        examples: ['lodgeway subject erase --surname Prynne --forenames Tracey --dry-run'],
      },
    ],
  },
  {
    name: 'doctor',
    about: 'check the installation, or with --profile or --url an integrator’s connection',
    commands: [{ ...PLAIN, examples: ['lodgeway doctor', 'lodgeway doctor --profile sandbox-lender'] }],
  },
  { name: 'openapi', about: 'print the interface as OpenAPI 3.1', commands: [PLAIN] },
]
