import type { ReactElement, ReactNode } from 'react'
import type { Endpoint } from '#contract/endpoint.ts'
import { useMayCall } from '../controls/use-may-call.ts'

type Props = {
  /** What the opened record is read with. It determines the permission. */
  for: Endpoint
  /** The link on the row's name. */
  children: ReactElement<{ children?: ReactNode }>
}

/** The link that opens a row; only its text for users who may see the list but not read the record. */
export function MayOpen({ for: endpoint, children }: Props) {
  return useMayCall(endpoint) ? children : <span className="fc-name">{children.props.children}</span>
}
