require 'openssl'

# body holds the bytes as they arrived; the names of headers are in lower case.
def genuine?(secret, body, headers)
  timestamp = headers.fetch('webhook-timestamp', '')
  return false unless timestamp.match?(/\A\d+\z/) && (Time.now.to_i - timestamp.to_i).abs <= 300

  key = secret.start_with?('whsec_') ? secret.delete_prefix('whsec_').unpack1('m') : secret
  signed = "#{headers['webhook-id']}.#{timestamp}.".b + body.b
  expected = "v1,#{[OpenSSL::HMAC.digest('SHA256', key, signed)].pack('m0')}"
  headers.fetch('webhook-signature', '').split.any? do |signature|
    OpenSSL.secure_compare(signature, expected)
  end
end
