import type { z } from 'zod'
import type { Endpoint } from '#contract/endpoint.ts'
import type { Claims } from '#contract/identity/sessions/session.ts'
import { kyselyOver, type Database } from '#server/database/tenant-transaction.ts'
import type { Member, Visit } from '#server/http/actor.ts'

/** A list handler with the input of a call. */
export type ListCall<I extends z.ZodType = z.ZodType> = {
  name: string
  endpoint: Endpoint<I>
  asked: Readonly<Record<string, string>>
  read: (context: { db: Database; actor: Member; visit: Visit; input: z.output<I> }) => Promise<unknown>
}

/**
 * The statements of one list call with literal values, for pgbench. Recorded from the handler itself, so that both sides
 * run the same statements.
 */
export async function listTransaction<I extends z.ZodType>(
  claims: Claims,
  { name, endpoint, asked, read }: ListCall<I>,
): Promise<string> {
  const statements: string[] = []
  const db = kyselyOver(async ({ sql, parameters }) => {
    statements.push(sql.replace(/\$(\d+)/g, (_, at: string) => literal(parameters[Number(at) - 1])))
    return { rows: [{}], rowCount: 1, command: 'SELECT', oid: 0, fields: [] }
  })
  await read({ db, actor: memberOf(claims), visit: NOBODYS, input: endpoint.input.parse(asked) })
  const settings = {
    'app.customer_id': claims.customerId,
    'app.organization_id': claims.organizationId,
    'app.reach': 'organization',
    'app.actor_user_id': claims.userId,
    'app.actor_name': claims.userName,
    'app.effective_user_id': claims.userId,
    'app.effective_name': '',
    'app.endpoint': name,
    'app.job_id': '',
  }
  const calls = Object.entries(settings).map(([key, value]) => `set_config('${key}', '${value}', true)`)
  return ['begin read only', `select ${calls.join(', ')}`, ...statements, 'commit', ''].join(';\n')
}

/** Lists use the caller's permissions but not the connection. */
const NOBODYS: Visit = {
  host: 'localhost',
  ip: '127.0.0.1',
  userAgent: '',
  isWebClient: false,
  isOperator: false,
  bearer: null,
  cookie: null,
  device: null,
  xsrf: null,
  setSessionCookies: () => {},
  clearSessionCookies: () => {},
  setDeviceCookie: () => {},
  browser: null,
  setBrowserCookie: () => {},
}

/** The user of these claims with every permission but the reach of one organization. */
function memberOf(claims: Claims): Member {
  return {
    sessionId: claims.sid,
    isVerified: true,
    userId: claims.userId,
    userName: claims.userName,
    fullName: claims.userName,
    userCustomerId: claims.customerId,
    effectiveUserId: claims.userId,
    effectiveUserName: claims.userName,
    effectiveFullName: claims.userName,
    effectiveCustomerId: claims.customerId,
    userTypeId: claims.impersonateUserTypeId,
    customerId: claims.customerId,
    organizationId: claims.organizationId,
    organizationName: claims.organizationName,
    timeZone: 'UTC',
    reach: 'organization',
    isPlatformStaff: false,
    impersonation: null,
    permissions: { isSuper: false, permissions: [] },
    permissionsVersion: '0',
    may: () => true,
  }
}

function literal(value: unknown): string {
  if (typeof value === 'number') return String(value)
  if (value instanceof Date) return `'${value.toISOString()}'`
  if (Array.isArray(value)) return `array[${value.map(literal).join(', ')}]`
  return `'${String(value).replace(/'/g, "''")}'`
}
