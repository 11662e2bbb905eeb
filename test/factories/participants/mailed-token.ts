import type { TestApp } from '#test/app.ts'

/** The token in the latest email to an address, with the email's text. */
export async function mailedToken(
  forecourt: Pick<TestApp, 'owner' | 'outbox'>,
  email: string,
): Promise<{ token: string; text: string; link: string }> {
  const { rows } = await forecourt.owner.query<{
    customer_id: string
    to_email: string
    text_sealed: string
  }>(
    'select customer_id, to_email, text_sealed from outbox_mails where to_email = $1 order by id desc limit 1',
    [email],
  )
  const [mail] = rows
  if (mail === undefined) throw new Error(`There is no email to ${email}.`)
  const text = forecourt.outbox.open({
    customerId: mail.customer_id,
    toEmail: mail.to_email,
    textSealed: mail.text_sealed,
  })
  const link = /http\S+#\S+/.exec(text)?.[0] ?? ''
  return { token: link.split('#')[1] ?? '', text, link }
}
