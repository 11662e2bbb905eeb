import { ModalsProvider } from '@mantine/modals'
import { QueryClientProvider } from '@tanstack/react-query'
import { queryClient } from '#web/api/query.ts'
import { useBoot } from '#web/use-boot.ts'
import { FooterHtml } from '#web/ui/FooterHtml.tsx'
import '#web/ui/controls.css'
import '#web/ui/lists.css'
import { OrganizationPicker } from './OrganizationPicker.tsx'
import './organization.css'

/** Specification section 2: bare, without navigation; works before an organization is chosen. */
export function OrganizationPage() {
  const { whiteLabel } = useBoot()
  return (
    <QueryClientProvider client={queryClient}>
      <ModalsProvider labels={{ confirm: 'Confirm', cancel: 'Cancel' }}>
        <div className="fc-organization">
          <main>
            <OrganizationPicker />
          </main>
          <footer>
            <FooterHtml html={whiteLabel.footer} />
          </footer>
        </div>
      </ModalsProvider>
    </QueryClientProvider>
  )
}
