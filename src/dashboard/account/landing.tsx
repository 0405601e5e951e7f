/** A drawing of an annotated picture: a shirt with its points of measure. */
const Illustration = () => (
  <svg class="illustration" viewBox="0 0 320 300" role="img" aria-label="A T-shirt with its chest and length measured">
    <path
      class="cloth"
      d="M112 40 62 62 24 122l40 24 20-26v144h152V120l20 26 40-24-38-60-50-22c-6 20-26 32-48 32s-42-12-48-32Z"
    />
    <path class="line" d="M84 150h152M160 74v190" />
    <g class="ends">
      <circle cx="84" cy="150" r="4" />
      <circle cx="236" cy="150" r="4" />
      <circle cx="160" cy="74" r="4" />
      <circle cx="160" cy="264" r="4" />
    </g>
    <g class="label">
      <rect x="170" y="136" width="116" height="28" rx="6" />
      <text x="228" y="154.5">
        Chest 51 cm
      </text>
      <rect x="100" y="214" width="120" height="28" rx="6" />
      <text x="160" y="232.5">
        Length 70 cm
      </text>
    </g>
  </svg>
)

export const Landing = () => (
  <div class="landing">
    <section class="hero">
      <div>
        <h1>Tags, measurements and a description from a garment's picture</h1>
        <p class="lead">
          Send the URL of a flat-lay picture. Seconds later your system has the item type, colour, fit, closure and
          fabric, each with a confidence, the measurements in centimetres, and an annotated picture.
        </p>
        <p class="actions">
          <a class="button" href="/dashboard/sign-up">
            Create account
          </a>
          <a class="button plain" href="/docs/guides/first-garment">
            First garment in five minutes
          </a>
        </p>
      </div>
      <Illustration />
    </section>
    <section class="trio" aria-label="How it works">
      <div>
        <h2>Upload</h2>
        <p>
          One request with your own uuid and the picture's URL. An accepted upload is never lost.{' '}
          <a href="/docs/guides/photographs">Taking good photographs</a>
        </p>
      </div>
      <div>
        <h2>Review</h2>
        <p>
          Every tag has a confidence of High, Medium or Low and its alternatives, so people check only what needs it.{' '}
          <a href="/docs/guides/confidence">What confidence means</a>
        </p>
      </div>
      <div>
        <h2>Receive</h2>
        <p>
          A signed webhook with nine attempts over two days, and a log of your system's responses.{' '}
          <a href="/docs/guides/polling-or-webhooks">Webhooks</a>
        </p>
      </div>
    </section>
  </div>
)
