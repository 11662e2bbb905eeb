import { z } from 'zod'
import type { Endpoint } from '#contract/endpoint.ts'
import { auth } from '#contract/identity/auth.ts'
import { organizations } from '#contract/organizations/organizations.ts'
import { addressOf } from '#test/app.ts'
import type { Product } from '../../bench/product.ts'
import { signIn } from '../../bench/sign-in.ts'

/** A running product and a user's token. */
export type Session = { product: Pick<Product, 'address'>; token: string }

/** The raw response of a call over the network. Null if the connection was lost. */
export async function tryCall<I extends z.ZodType>(
  { product, token }: Session,
  endpoint: Endpoint<I>,
  input: z.input<I>,
): Promise<{ status: number; body: unknown } | null> {
  const { url, body } = addressOf(endpoint, input)
  try {
    const response = await fetch(`${product.address}${url}`, {
      method: endpoint.method,
      headers: { authorization: `Bearer ${token}`, 'content-type': 'application/json' },
      ...(body !== undefined && { body: JSON.stringify(body) }),
    })
    return { status: response.status, body: await response.json() }
  } catch {
    return null
  }
}

/** The data of a call that must succeed. @throws Error with the response if it fails */
export async function call<I extends z.ZodType, O extends z.ZodType>(
  session: Session,
  endpoint: Endpoint<I, O>,
  input: z.input<I>,
): Promise<z.output<O>> {
  const answer = await tryCall(session, endpoint, input)
  if (answer?.status !== 200) throw new Error(`${endpoint.path}: ${JSON.stringify(answer)}`)
  const { data } = z.object({ data: z.unknown() }).parse(answer.body)
  return endpoint.output.parse(data)
}

/** Signs in a demo user of several organizations and chooses one. */
export async function signInTo(
  product: Pick<Product, 'address'>,
  { userName, organization }: { userName: string; organization: string },
): Promise<Session & { organizationId: string }> {
  const session = { product, token: await signIn(product.address, userName) }
  const choices = await call(session, organizations.change, {})
  const organizationId = choices.find(({ name }) => name === organization)?.id ?? ''
  const { accessToken } = await call(session, auth.changeOrganization, { organizationId })
  return { product, token: accessToken, organizationId }
}
