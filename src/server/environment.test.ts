import { globSync } from 'node:fs'
import { readFile } from 'node:fs/promises'
import { expect, test } from 'vitest'
import { readSettings } from './environment.ts'

test('listens on this machine only and uses the durations of the specification by default', () => {
  expect(readSettings({})).toMatchObject({
    port: 8080,
    host: '127.0.0.1',
    isLoopback: true,
    databaseUrl: null,
    ownerUrl: null,
    secret: null,
    publicUrl: null,
    trustProxy: false,
    demo: null,
    tokenSeconds: 1800,
    idleSeconds: 1800,
    idleWarningSeconds: 20,
    hasThemeCustomizer: true,
    signInFailuresPerMinute: 20,
    allowsPrivateAddresses: false,
    smtp: null,
    azureStorage: null,
    fileLimit: 2048 * 1_048_576,
    customerFilesLimit: 20_480 * 1_048_576,
  })
})

test('treats an empty variable as not set', () => {
  const empty = Object.fromEntries(
    ['PORT', 'HOST', 'DATABASE_URL', 'FORECOURT_SECRET', 'FORECOURT_DEMO'].map((name) => [name, '']),
  )
  expect(readSettings(empty)).toEqual(readSettings({}))
})

test.for([
  ['PORT', '0', { port: 0 }],
  ['HOST', '0.0.0.0', { host: '0.0.0.0', isLoopback: false }],
  ['HOST', '::1', { isLoopback: true }],
  ['HOST', 'localhost', { isLoopback: true }],
  ['HOST', '127.0.0.1.example.com', { isLoopback: false }],
  ['FORECOURT_HOME', '/var/lib/forecourt', { home: '/var/lib/forecourt' }],
  [
    'DATABASE_URL',
    'postgres://a:b@host/db',
    { databaseUrl: 'postgres://a:b@host/db', ownerUrl: 'postgres://a:b@host/db' },
  ],
  ['DATABASE_OWNER_URL', 'postgresql://o@host/db', { ownerUrl: 'postgresql://o@host/db' }],
  ['FORECOURT_SECRET', 'sixteen-letters!', { secret: 'sixteen-letters!' }],
  ['PUBLIC_URL', 'https://backoffice.example.com', { publicUrl: 'https://backoffice.example.com' }],
  ['PUBLIC_URL', 'https://backoffice.example.com', { isLoopback: false }],
  ['PUBLIC_URL', 'http://localhost:3000', { isLoopback: true }],
  ['TRUST_PROXY', 'true', { trustProxy: true }],
  ['TRUST_PROXY', 'false', { trustProxy: false }],
  ['TRUST_PROXY', '0', { trustProxy: false }],
  ['TRUST_PROXY', '10.0.0.1, 10.0.0.2', { trustProxy: ['10.0.0.1', '10.0.0.2'] }],
  ['FORECOURT_DEMO', '1', { demo: true }],
  ['FORECOURT_DEMO', '0', { demo: false }],
  ['FORECOURT_TOKEN_SECONDS', '120', { tokenSeconds: 120 }],
  ['FORECOURT_IDLE_SECONDS', '5', { idleSeconds: 5 }],
  ['FORECOURT_IDLE_WARNING_SECONDS', '3', { idleWarningSeconds: 3 }],
  ['FORECOURT_PRIVATE_ADDRESSES', '1', { allowsPrivateAddresses: true }],
  ['FORECOURT_THEME_CUSTOMIZER', '0', { hasThemeCustomizer: false }],
  ['FORECOURT_SIGNIN_FAILURES_PER_MINUTE', '7', { signInFailuresPerMinute: 7 }],
  ['FORECOURT_FONTS', import.meta.dirname, { fontsFolder: import.meta.dirname }],
  ['FORECOURT_AZURE_STORAGE', 'UseDevelopmentStorage=true', { azureStorage: 'UseDevelopmentStorage=true' }],
  ['FORECOURT_FILE_LIMIT_MB', '5', { fileLimit: 5 * 1_048_576 }],
  ['FORECOURT_CUSTOMER_FILES_LIMIT_MB', '7', { customerFilesLimit: 7 * 1_048_576 }],
  ['FORECOURT_PHOTO_COPIES', '10', { photoCopyLimits: { photos: 10 } }],
  ['FORECOURT_PHOTO_COPIES_MB', '3', { photoCopyLimits: { bytes: 3 * 1_048_576 } }],
] as const)('accepts %s=%s', ([name, value, settings]) => {
  expect(readSettings({ [name]: value })).toMatchObject(settings)
})

test.for([
  ['PORT', '65536'],
  ['PORT', 'eighty'],
  ['PORT', '80.5'],
  ['DATABASE_URL', 'mysql://host/db'],
  ['DATABASE_URL', 'host/db'],
  ['DATABASE_OWNER_URL', 'http://host'],
  ['FORECOURT_SECRET', 'short'],
  ['PUBLIC_URL', 'backoffice.example.com'],
  ['PUBLIC_URL', 'ftp://backoffice.example.com'],
  ['FORECOURT_DEMO', 'yes'],
  ['FORECOURT_TOKEN_SECONDS', '119'],
  ['FORECOURT_TOKEN_SECONDS', '30m'],
  ['FORECOURT_IDLE_SECONDS', '0'],
  ['FORECOURT_IDLE_WARNING_SECONDS', '-1'],
  ['FORECOURT_THEME_CUSTOMIZER', 'on'],
  ['FORECOURT_SIGNIN_FAILURES_PER_MINUTE', '0'],
] as const)('rejects %s=%s with a sentence that names the variable', ([name, value]) => {
  expect(() => readSettings({ [name]: value })).toThrow(
    new RegExp(`^The setting ${name} is not valid\\. [A-Z].*[^.]\\.$`),
  )
})

test('does not repeat a secret in the error', () => {
  expect(() => readSettings({ DATABASE_URL: 'mysql://user:hunter2@host/db' })).toThrow(/^(?!.*hunter2)/)
})

test('trusts exactly the given number of proxy hops', () => {
  const { trustProxy } = readSettings({ TRUST_PROXY: '2' })
  const trusted = typeof trustProxy === 'function' ? [0, 1, 2].map((hop) => trustProxy('10.0.0.1', hop)) : []
  expect(trusted).toEqual([true, true, false])
})

test.for([
  ['smtp://127.0.0.1:2525', 'noreply@example.com'],
  ['smtps://user:p%40ss@mail.example.com', 'Forecourt <noreply@example.com>'],
])('accepts the mail server %s with the sender %s', ([url, from]) => {
  expect(readSettings({ FORECOURT_SMTP_URL: url, FORECOURT_MAIL_FROM: from }).smtp).toEqual({ url, from })
})

test.for([
  ['FORECOURT_SMTP_URL', 'mail.example.com', 'It must look like smtp://user:password@mail.example.com:587.'],
  [
    'FORECOURT_SMTP_URL',
    'https://mail.example.com',
    'It must look like smtp://user:password@mail.example.com:587.',
  ],
  ['FORECOURT_SMTP_URL', 'smtp://', 'It must look like smtp://user:password@mail.example.com:587.'],
  [
    'FORECOURT_MAIL_FROM',
    'noreply',
    'It must look like noreply@example.com or Forecourt <noreply@example.com>.',
  ],
  [
    'FORECOURT_MAIL_FROM',
    'Forecourt <noreply@example.com>\nBcc: all@example.com',
    'It must look like noreply@example.com or Forecourt <noreply@example.com>.',
  ],
] as const)('rejects %s=%s at startup', ([name, value, rule]) => {
  const environment = {
    FORECOURT_SMTP_URL: 'smtp://localhost',
    FORECOURT_MAIL_FROM: 'a@example.com',
    [name]: value,
  }
  expect(() => readSettings(environment)).toThrow(`The setting ${name} is not valid. ${rule}`)
})

test('requires both mail settings and names the missing one', () => {
  expect(() => readSettings({ FORECOURT_SMTP_URL: 'smtp://localhost' })).toThrow(
    'The setting FORECOURT_MAIL_FROM is missing. FORECOURT_SMTP_URL requires it.',
  )
  expect(() => readSettings({ FORECOURT_MAIL_FROM: 'a@example.com' })).toThrow(
    'The setting FORECOURT_SMTP_URL is missing. FORECOURT_MAIL_FROM requires it.',
  )
})

/** Variables that only tests set, or that belong to the system. */
const NOT_SETTINGS = new Set(['FORECOURT_CLOCK', 'PATH'])

test.for([
  ['.env.example', /^# ([A-Z][A-Z_]+)=/gm],
  ['README.md', /^\| .*$/gm],
] as const)('%s has every variable that the product reads', async ([file, pattern]) => {
  const sources = await Promise.all(globSync('src/server/**/*.ts').map((path) => readFile(path, 'utf8')))
  const declared =
    /z\.object\(\{(.*?)^\}\)/ms.exec(await readFile('src/server/environment.ts', 'utf8'))?.[1] ?? ''
  const names = new Set([
    ...[...declared.matchAll(/^ {2}([A-Z][A-Z_]+):/gm)].map(([, name = '']) => name),
    ...sources.flatMap((text) =>
      [...text.matchAll(/process\.env\.([A-Z][A-Z_]+)/g)].map(([, name = '']) => name),
    ),
  ])
  expect(names.size).toBeGreaterThan(25)
  const documented = ((await readFile(file, 'utf8')).match(pattern) ?? []).join(' ')
  const missing = [...names].filter(
    (name) => !NOT_SETTINGS.has(name) && !new RegExp(`\\b${name}\\b`).test(documented),
  )
  expect(missing).toEqual([])
})
