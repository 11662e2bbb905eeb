import { statSync } from 'node:fs'
import { availableParallelism } from 'node:os'
import { isAbsolute, join, resolve } from 'node:path'
import { z } from 'zod'

const projectFolder = resolve(import.meta.dirname, '../..')
const isOn = z.enum(['0', '1'], 'It must be 0 or 1').transform((text) => text === '1')
const whole = (min: number, max: number) => {
  const rule = `It must be a whole number from ${min} to ${max}`
  return z.coerce.number(rule).int(rule).min(min, rule).max(max, rule)
}
const httpUrl = (example: string) => z.url({ protocol: /^https?$/, error: `It must look like ${example}` })
const GOOGLE_KEYS = 'https://www.googleapis.com/oauth2/v3/certs'
const GOOGLE_SIGN_IN = 'https://accounts.google.com/o/oauth2/v2/auth'
const MEGABYTE = 1_048_576
const YEAR_SECONDS = 31_536_000

const Environment = z.object({
  PORT: whole(0, 65_535).default(8080),
  HOST: z.string().min(1).default('127.0.0.1'),
  FORECOURT_HOME: z.string().default(join(projectFolder, '.forecourt')),
  DATABASE_URL: z
    .url({ protocol: /^postgres(ql)?$/, error: 'It must look like postgres://user:password@host/database' })
    .optional(),
  DATABASE_OWNER_URL: z
    .url({ protocol: /^postgres(ql)?$/, error: 'It must look like postgres://owner:password@host/database' })
    .optional(),
  FORECOURT_SECRET: z.string().min(16, 'It must have at least 16 characters').optional(),
  FORECOURT_BACKUP_KEY: z.string().min(12, 'It must have at least 12 characters').optional(),
  PUBLIC_URL: z
    .url({ protocol: /^https?$/, error: 'It must look like https://backoffice.example.com' })
    .optional(),
  TRUST_PROXY: z.string().optional(),
  FORECOURT_DEMO: isOn.optional(),
  FORECOURT_METRICS_TOKEN: z.string().min(16, 'It must have at least 16 characters').optional(),
  FORECOURT_LOG_REQUESTS: isOn.optional(),
  FORECOURT_TOKEN_SECONDS: whole(120, YEAR_SECONDS).default(1800),
  FORECOURT_IDLE_SECONDS: whole(1, YEAR_SECONDS).default(1800),
  FORECOURT_IDLE_WARNING_SECONDS: whole(1, YEAR_SECONDS).default(20),
  FORECOURT_THEME_CUSTOMIZER: isOn.default(true),
  FORECOURT_SIGNIN_FAILURES_PER_MINUTE: whole(1, 1_000_000).default(20),
  FORECOURT_PRIVATE_ADDRESSES: isOn.default(false),
  FORECOURT_SMTP_URL: z
    .url({
      protocol: /^smtps?$/,
      hostname: /./,
      error: 'It must look like smtp://user:password@mail.example.com:587',
    })
    .optional(),
  FORECOURT_MAIL_FROM: z
    .string()
    .regex(
      /^(?:[^<>"\p{Cc}]* <[^<>@\s]+@[^<>@\s]+>|[^<>@\s]+@[^<>@\s]+)$/u,
      'It must look like noreply@example.com or Forecourt <noreply@example.com>',
    )
    .optional(),
  FORECOURT_AZURE_STORAGE: z
    .string()
    .regex(
      /(^|;)(AccountName|BlobEndpoint|UseDevelopmentStorage)=/i,
      'It must be an Azure Storage connection string, such as DefaultEndpointsProtocol=https;AccountName=...',
    )
    .optional(),
  FORECOURT_FONTS: z
    .string()
    .refine((folder) => statSync(folder, { throwIfNoEntry: false })?.isDirectory() === true, {
      error: 'It must be a folder with font files',
    })
    .optional(),
  FORECOURT_DRAIN_SECONDS: whole(0, 300).default(5),
  FORECOURT_FILES_MOVED: isOn.default(false),
  FORECOURT_FILE_LIMIT_MB: whole(1, 100_000).default(2_048),
  FORECOURT_CUSTOMER_FILES_LIMIT_MB: whole(1, 100_000_000).default(20_480),
  FORECOURT_PHOTO_COPIES: whole(0, 100_000_000).default(100_000),
  FORECOURT_PHOTO_COPIES_MB: whole(0, 100_000_000).default(51_200),
  FORECOURT_POSTMARK_URL: z
    .url({ protocol: /^https?$/, error: 'It must look like https://api.postmarkapp.com' })
    .default('https://api.postmarkapp.com'),
  FORECOURT_GOOGLE_CLIENT_ID: z.string().optional(),
  FORECOURT_GOOGLE_ISSUER: httpUrl('https://accounts.google.com').default('https://accounts.google.com'),
  FORECOURT_GOOGLE_KEYS_URL: httpUrl(GOOGLE_KEYS).default(GOOGLE_KEYS),
  FORECOURT_GOOGLE_SIGN_IN_URL: httpUrl(GOOGLE_SIGN_IN).default(GOOGLE_SIGN_IN),
  FORECOURT_NAME_SERVERS: z
    .string()
    .regex(
      /^[\d.:[\]a-fA-F]+(,[\d.:[\]a-fA-F]+)*$/,
      'It must be a list of addresses, such as 10.0.0.2,10.0.0.3:5353',
    )
    .optional(),
})

/** The settings from the environment. Durations are in seconds. */
export type Settings = {
  port: number
  host: string
  /** Only this machine can connect: the host is a loopback address, and so is the public URL, if any. */
  isLoopback: boolean
  home: string
  projectFolder: string
  databaseUrl: string | null
  ownerUrl: string | null
  secret: string | null
  /** The key that encrypts the secret in backups. Null: backups do not include the secret. */
  backupKey: string | null
  publicUrl: string | null
  /** Whether to trust forwarding headers: from anyone, from these addresses, or over this many hops. */
  trustProxy: boolean | string[] | ((address: string, hop: number) => boolean)
  /** Null: not set. Demo data then loads only on a loopback host with the embedded database. */
  demo: boolean | null
  /** The token for reading metrics from another machine. Null: only this machine can read them. */
  metricsToken: string | null
  /** Logs one line per request. Off by default if only this machine can connect. */
  logsRequests: boolean
  tokenSeconds: number
  idleSeconds: number
  idleWarningSeconds: number
  hasThemeCustomizer: boolean
  signInFailuresPerMinute: number
  /** Customers' feeds, channels and email handlers may use servers on private networks and on this machine. */
  allowsPrivateAddresses: boolean
  /** The mail server and the sender of emails. Null: none. */
  smtp: { url: string; from: string } | null
  /** The connection string of the file storage. Null: files are in a folder of `home`. */
  azureStorage: string | null
  /** A folder with fonts for PDFs, for letters that the fonts of the product don't have. */
  fontsFolder: string | null
  /** How long /readyz answers 503 before the process stops, if it is polled. */
  drainSeconds: number
  /** An operator moved the files to this storage, so the installation uses it from this start on. */
  areFilesMoved: boolean
  /** The largest file and the total per customer, in bytes. */
  fileLimit: number
  customerFilesLimit: number
  /** The most copies of photos of other servers per customer, and their bytes with the pictures made of them. */
  photoCopyLimits: { photos: number; bytes: number }
  /** The API for email handlers of type Postmark. */
  postmarkUrl: string
  /** The Google sign-in configuration. Null: users sign in with passwords only. */
  google: { clientId: string; issuer: string; keysUrl: string; signInUrl: string } | null
  /** The DNS servers for verifying customers' domains. Null: those of this machine. */
  nameServers: string[] | null
  cores: number
}

/**
 * Reads the settings. Empty variables count as not set.
 * @throws Error that names the variable and the expected value.
 */
export function readSettings(environment: Record<string, string | undefined> = process.env): Settings {
  const variables = Object.fromEntries(
    Object.entries(environment).filter(([, value]) => value !== undefined && value !== ''),
  )
  const read = Environment.safeParse(variables)
  if (!read.success) {
    const [issue] = read.error.issues
    throw new Error(`The setting ${issue?.path.join('.')} is not valid. ${issue?.message}.`)
  }
  const env = read.data
  const isLoopback =
    isLoopbackHost(env.HOST) &&
    (env.PUBLIC_URL === undefined || isLoopbackHost(new URL(env.PUBLIC_URL).hostname))
  return {
    port: env.PORT,
    host: env.HOST,
    isLoopback,
    home: isAbsolute(env.FORECOURT_HOME) ? env.FORECOURT_HOME : resolve(env.FORECOURT_HOME),
    projectFolder,
    databaseUrl: env.DATABASE_URL ?? null,
    ownerUrl: env.DATABASE_OWNER_URL ?? env.DATABASE_URL ?? null,
    secret: env.FORECOURT_SECRET ?? null,
    backupKey: env.FORECOURT_BACKUP_KEY ?? null,
    publicUrl: env.PUBLIC_URL ?? null,
    trustProxy: readTrustProxy(env.TRUST_PROXY),
    demo: env.FORECOURT_DEMO ?? null,
    metricsToken: env.FORECOURT_METRICS_TOKEN ?? null,
    logsRequests: env.FORECOURT_LOG_REQUESTS ?? !isLoopback,
    tokenSeconds: env.FORECOURT_TOKEN_SECONDS,
    idleSeconds: env.FORECOURT_IDLE_SECONDS,
    idleWarningSeconds: env.FORECOURT_IDLE_WARNING_SECONDS,
    hasThemeCustomizer: env.FORECOURT_THEME_CUSTOMIZER,
    allowsPrivateAddresses: env.FORECOURT_PRIVATE_ADDRESSES,
    signInFailuresPerMinute: env.FORECOURT_SIGNIN_FAILURES_PER_MINUTE,
    smtp: readSmtp(env.FORECOURT_SMTP_URL, env.FORECOURT_MAIL_FROM),
    azureStorage: env.FORECOURT_AZURE_STORAGE ?? null,
    fontsFolder: env.FORECOURT_FONTS === undefined ? null : resolve(env.FORECOURT_FONTS),
    drainSeconds: env.FORECOURT_DRAIN_SECONDS,
    areFilesMoved: env.FORECOURT_FILES_MOVED,
    fileLimit: env.FORECOURT_FILE_LIMIT_MB * MEGABYTE,
    customerFilesLimit: env.FORECOURT_CUSTOMER_FILES_LIMIT_MB * MEGABYTE,
    photoCopyLimits: {
      photos: env.FORECOURT_PHOTO_COPIES,
      bytes: env.FORECOURT_PHOTO_COPIES_MB * MEGABYTE,
    },
    postmarkUrl: env.FORECOURT_POSTMARK_URL,
    google: readGoogle(env),
    nameServers: env.FORECOURT_NAME_SERVERS?.split(',') ?? null,
    cores: availableParallelism(),
  }
}

/** Whether a host name or address means this machine. Names under .localhost are reserved for it (RFC 6761). */
export function isLoopbackHost(host: string): boolean {
  return (
    host === 'localhost' ||
    host.endsWith('.localhost') ||
    host === '::ffff:127.0.0.1' ||
    host === '::1' ||
    host === '[::1]' ||
    /^127\.\d+\.\d+\.\d+$/.test(host)
  )
}

function readGoogle(env: z.infer<typeof Environment>): Settings['google'] {
  const clientId = env.FORECOURT_GOOGLE_CLIENT_ID
  if (clientId === undefined) return null
  return {
    clientId,
    issuer: env.FORECOURT_GOOGLE_ISSUER,
    keysUrl: env.FORECOURT_GOOGLE_KEYS_URL,
    signInUrl: env.FORECOURT_GOOGLE_SIGN_IN_URL,
  }
}

/** Requires both or neither: with only one of them, emails would silently not be sent. */
function readSmtp(url: string | undefined, from: string | undefined): Settings['smtp'] {
  if (url !== undefined && from !== undefined) return { url, from }
  if (url === undefined && from === undefined) return null
  const [missing, present] =
    url === undefined
      ? ['FORECOURT_SMTP_URL', 'FORECOURT_MAIL_FROM']
      : ['FORECOURT_MAIL_FROM', 'FORECOURT_SMTP_URL']
  throw new Error(`The setting ${missing} is missing. ${present} requires it.`)
}

/** `1` (or another number of hops), `true`, or a list of proxy addresses. */
function readTrustProxy(text: string | undefined): Settings['trustProxy'] {
  if (text === undefined || text === '0' || text === 'false') return false
  if (text === 'true') return true
  if (!/^\d+$/.test(text)) return text.split(',').map((part) => part.trim())
  const hops = Number(text)
  return (_address, hop) => hop < hops
}
