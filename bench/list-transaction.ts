import { LOT_SORTS, lots } from '#contract/customers/lots.ts'
import type { Claims } from '#contract/identity/session.ts'
import { listLots } from '#server/customers/index.ts'
import { kyselyOver } from '#server/database/tenant-transaction.ts'

/**
 * The statements that one call of the lots list runs, with their values written in, as pgbench wants them: taken from
 * the handler itself, so that both sides run the same.
 */
export async function listTransaction({ customerId, organizationId, userId }: Claims): Promise<string> {
  const statements: string[] = []
  const db = kyselyOver(async ({ sql, parameters }) => {
    statements.push(sql.replace(/\$(\d+)/g, (_, at: string) => literal(parameters[Number(at) - 1])))
    return { rows: [{ filtered: '0', total: '0' }], rowCount: 1, command: 'SELECT', oid: 0, fields: [] }
  })
  await listLots(db, customerId, lots.list.input.parse({ sort: LOT_SORTS[1] }))
  const settings = {
    'app.customer_id': customerId,
    'app.organization_id': organizationId,
    'app.reach': 'organization',
    'app.actor_user_id': userId,
    'app.actor_name': 'Luis Ortega',
    'app.effective_user_id': userId,
    'app.effective_name': '',
    'app.endpoint': 'lots.list',
  }
  const calls = Object.entries(settings).map(([name, value]) => `set_config('${name}', '${value}', true)`)
  return ['begin read only', `select ${calls.join(', ')}`, ...statements, 'commit', ''].join(';\n')
}

function literal(value: unknown): string {
  return typeof value === 'number' ? String(value) : `'${String(value).replace(/'/g, "''")}'`
}
