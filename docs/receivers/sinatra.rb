# gem install sinatra puma rackup && WEBHOOK_SECRET=whsec_… ruby sinatra.rb
require 'fileutils'
require 'json'
require 'openssl'
require 'securerandom'
require 'sinatra'

set :port, ENV.fetch('PORT', 8000)
FOLDER = 'events'
FileUtils.mkdir_p(FOLDER)

# Whether the service has signed these bytes with our secret, within the last five minutes.
def genuine?(body, id, timestamp, signatures)
  return false unless timestamp.match?(/\A\d+\z/) && (Time.now.to_i - timestamp.to_i).abs <= 300

  secret = ENV.fetch('WEBHOOK_SECRET')
  key = secret.start_with?('whsec_') ? secret.delete_prefix('whsec_').unpack1('m') : secret
  signed = "#{id}.#{timestamp}.".b + body.b
  expected = "v1,#{[OpenSSL::HMAC.digest('SHA256', key, signed)].pack('m0')}"
  signatures.split.any? { |signature| OpenSSL.secure_compare(signature, expected) }
end

# Stores an event under its id, once: only the first link to a name succeeds.
def store(id, body)
  part = "#{FOLDER}/#{id}.#{SecureRandom.uuid}.part"
  File.open(part, 'wb') do |file|
    file.write(body)
    file.fsync
  end
  File.link(part, "#{FOLDER}/#{id}.json")
rescue Errno::EEXIST
  nil
ensure
  FileUtils.rm_f(part)
end

# Yours. It runs again if the program ends within it, so let it be repeatable.
def work(event)
  puts [event['event'], event['uuid'], event.dig('tag', 'Item Type')].join(' ')
  $stdout.flush
end

Thread.new do
  loop do
    Dir["#{FOLDER}/*.json"].each do |path|
      next if File.exist?("#{path}.done")

      work(JSON.parse(File.read(path, encoding: 'UTF-8')))
      FileUtils.touch("#{path}.done")
    rescue StandardError => e
      warn "#{path}: #{e.message}"
    end
    sleep 1
  end
end

post '/webhook' do
  body = request.body.read(1024 * 1024) || ''
  id, timestamp, signatures = %w[ID TIMESTAMP SIGNATURE].map { |name| request.env["HTTP_WEBHOOK_#{name}"] || '' }
  halt 401 unless genuine?(body, id, timestamp, signatures)
  store(id, body)
  204
end
