/** A clothing tag. */
export const Logo = () => (
  <svg class="logo" viewBox="0 0 24 24" width="24" height="24" aria-hidden="true">
    <path d="M3 12.2V4.6C3 3.7 3.7 3 4.6 3h7.6c.5 0 .9.2 1.2.5l7.1 7.1a1.7 1.7 0 0 1 0 2.4l-7.5 7.5a1.7 1.7 0 0 1-2.4 0l-7.1-7.1a1.7 1.7 0 0 1-.5-1.2Z" />
    <circle class="eyelet" cx="7.8" cy="7.8" r="1.7" />
  </svg>
)
