<?php

// WEBHOOK_SECRET=whsec_… php -S localhost:8000 receiver.php
// Each minute, by cron: php receiver.php

$folder = 'events';
is_dir($folder) || mkdir($folder);

/** Whether the service has signed these bytes with our secret, within the last five minutes. */
function isGenuine(string $body, string $id, string $timestamp, string $signatures): bool
{
    if (!ctype_digit($timestamp) || abs(time() - (int) $timestamp) > 300) {
        return false;
    }
    $secret = getenv('WEBHOOK_SECRET');
    $key = str_starts_with($secret, 'whsec_') ? base64_decode(substr($secret, 6)) : $secret;
    $expected = 'v1,' . base64_encode(hash_hmac('sha256', "$id.$timestamp.$body", $key, true));
    foreach (explode(' ', $signatures) as $signature) {
        if (hash_equals($expected, $signature)) {
            return true;
        }
    }
    return false;
}

/** Stores an event under its id, once: only the first link to a name succeeds. */
function store(string $folder, string $id, string $body): bool
{
    $part = "$folder/$id." . bin2hex(random_bytes(8)) . '.part';
    if (file_put_contents($part, $body) !== strlen($body)) {
        return false;
    }
    $isStored = @link($part, "$folder/$id.json") || file_exists("$folder/$id.json");
    unlink($part);
    return $isStored;
}

/** Yours. It runs again if the program ends within it, so let it be repeatable. */
function work(array $event): void
{
    echo $event['event'], ' ', $event['uuid'] ?? '', ' ', $event['tag']['Item Type'] ?? '', "\n";
}

if (PHP_SAPI === 'cli') {
    // One run at a time, however often cron starts one.
    $lock = fopen("$folder/lock", 'c');
    if (!flock($lock, LOCK_EX | LOCK_NB)) {
        exit;
    }
    foreach (glob("$folder/*.json") as $path) {
        if (!file_exists("$path.done")) {
            work(json_decode(file_get_contents($path), true, 512, JSON_THROW_ON_ERROR));
            touch("$path.done");
        }
    }
    exit;
}

$body = file_get_contents('php://input', false, null, 0, 1024 * 1024);
$id = $_SERVER['HTTP_WEBHOOK_ID'] ?? '';
$signatures = $_SERVER['HTTP_WEBHOOK_SIGNATURE'] ?? '';
if ($_SERVER['REQUEST_METHOD'] !== 'POST') {
    http_response_code(405);
} elseif (!isGenuine($body, $id, $_SERVER['HTTP_WEBHOOK_TIMESTAMP'] ?? '', $signatures)) {
    http_response_code(401);
} else {
    http_response_code(store($folder, $id, $body) ? 204 : 500);
}
