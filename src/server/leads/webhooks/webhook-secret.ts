import type { SealedColumn } from '#server/installation/sealed-columns.ts'

/** What a webhook's sealed secret is bound to. */
export const webhookSecretContext = (customerId: string): string =>
  `lead_destinations.secret_sealed/${customerId}`

/** The sealed column, for rotating the installation's secret. */
export const sealedWebhookSecrets: SealedColumn = {
  table: 'public.lead_destinations',
  column: 'secret_sealed',
  contextColumns: ['customer_id'],
  context: (row) => webhookSecretContext(row.customer_id ?? ''),
}
