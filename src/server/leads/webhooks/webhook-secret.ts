import type { SealedColumn } from '#server/installation/sealed-columns.ts'

/** What a webhook's sealed secrets are bound to. */
export const webhookSecretContext = (customerId: string): string =>
  `lead_destinations.secret_sealed/${customerId}`

/** The sealed columns, for rotating the installation's secret. */
export const sealedWebhookSecrets: readonly SealedColumn[] = ['secret_sealed', 'former_secret_sealed'].map(
  (column) => ({
    table: 'public.lead_destinations',
    column,
    contextColumns: ['customer_id'],
    context: (row) => webhookSecretContext(row.customer_id ?? ''),
  }),
)
