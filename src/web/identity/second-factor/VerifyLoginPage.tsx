import { QueryClientProvider } from '@tanstack/react-query'
import { queryClient } from '#web/api/query.ts'
import { AuthLayout } from '../sign-in/AuthLayout.tsx'
import { VerifyLogin } from './VerifyLogin.tsx'
import './verify-login.css'

/** Specification section 2, /auth/verify-login: between the password and being signed in. */
export function VerifyLoginPage() {
  return (
    <QueryClientProvider client={queryClient}>
      <AuthLayout title="Verify Login" about="Your password was right. One more step shows that it is you.">
        <VerifyLogin />
      </AuthLayout>
    </QueryClientProvider>
  )
}
