import type {
  inboundLeads as inboundLeadCalls,
  inboundMessages as inboundMessageCalls,
} from '#contract/leads/inbound/inbound-messages.ts'
import type { inboundAddresses as inboundAddressCalls } from '#contract/leads/inbound/inbound-addresses.ts'
import type { Handlers } from '#server/http/serve.ts'
import { makeAdfThread } from '../adf/adf-thread.ts'
import { inboundAddressHandlers } from './inbound-addresses.ts'
import { inboundMessageHandlers } from './inbound-messages.ts'
import { inboundLeadHandlers, type InboundOptions } from './receive-inbound.ts'

type Inbound = {
  handlers: {
    inboundAddresses: Handlers<typeof inboundAddressCalls>
    inboundMessages: Handlers<typeof inboundMessageCalls>
    inboundLeads: Handlers<typeof inboundLeadCalls>
  }
  /** Ends the thread that reads messages. */
  stop: () => Promise<void>
}

/** The calls of inbound addresses, which share one thread. */
export function makeInbound(parts: InboundOptions): Inbound {
  const thread = makeAdfThread()
  return {
    handlers: {
      inboundAddresses: inboundAddressHandlers,
      inboundMessages: inboundMessageHandlers(thread),
      inboundLeads: inboundLeadHandlers(parts, thread),
    },
    stop: thread.stop,
  }
}
