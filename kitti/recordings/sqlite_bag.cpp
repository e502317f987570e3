#include <sqlite3.h>

#include <algorithm>
#include <cstdio>
#include <map>

#include "block_stream.hpp"
#include "message_types.hpp"
#include "recording_file.hpp"
#include "roadplane/base/input_error.hpp"
#include "roadplane/base/words.hpp"

namespace roadplane::kitti {
namespace {

namespace fs = std::filesystem;

constexpr int kMostTextBytes = 1 << 20;  ///< of a name

/// A path as SQLite takes it with options.
std::string uri_of(const fs::path& path, const char* options) {
  std::string uri = "file:";
  for (const char c : fs::absolute(path).string()) {
    if (c == '?' || c == '#' || c == '%') {
      char code[4];
      std::snprintf(code, sizeof code, "%%%02X", static_cast<unsigned>(c));
      uri += code;
    } else {
      uri += c;
    }
  }
  return uri + "?" + options;
}

class Database {
 public:
  explicit Database(const std::string& uri) {
    const int result =
        sqlite3_open_v2(uri.c_str(), &handle_,
                        SQLITE_OPEN_READONLY | SQLITE_OPEN_URI | SQLITE_OPEN_FULLMUTEX, nullptr);
    if (result != SQLITE_OK) {
      const std::string why = sqlite3_errstr(result);
      sqlite3_close(handle_);
      throw InputError(uri, "an SQLite database", why);
    }
    // What a file of others brings along is not run, and no value of it is larger than a message.
    sqlite3_db_config(handle_, SQLITE_DBCONFIG_TRUSTED_SCHEMA, 0, nullptr);
    sqlite3_db_config(handle_, SQLITE_DBCONFIG_ENABLE_TRIGGER, 0, nullptr);
    sqlite3_db_config(handle_, SQLITE_DBCONFIG_ENABLE_VIEW, 0, nullptr);
    sqlite3_limit(handle_, SQLITE_LIMIT_LENGTH, static_cast<int>(kMostMessageBytes));
    sqlite3_busy_timeout(handle_, 1000);  // [ms] for a recorder that is still writing
  }
  ~Database() { sqlite3_close(handle_); }
  Database(const Database&) = delete;
  Database& operator=(const Database&) = delete;

  sqlite3* handle() const { return handle_; }
  std::string error() const { return sqlite3_errmsg(handle_); }

 private:
  sqlite3* handle_ = nullptr;
};

/// The rows of a query, one after the other.
class Query {
 public:
  Query(const Database& database, const char* text) {
    result_ = sqlite3_prepare_v2(database.handle(), text, -1, &statement_, nullptr);
  }
  ~Query() { sqlite3_finalize(statement_); }
  Query(const Query&) = delete;
  Query& operator=(const Query&) = delete;

  bool next() {
    if (result_ == SQLITE_OK || result_ == SQLITE_ROW) result_ = sqlite3_step(statement_);
    return result_ == SQLITE_ROW;
  }
  bool failed() const { return result_ != SQLITE_DONE && result_ != SQLITE_ROW; }
  std::int64_t number(int column) const { return sqlite3_column_int64(statement_, column); }
  std::string text(int column) const {
    const auto* bytes = static_cast<const char*>(sqlite3_column_blob(statement_, column));
    const int count = std::min(sqlite3_column_bytes(statement_, column), kMostTextBytes);
    return bytes == nullptr ? "" : std::string(bytes, static_cast<std::size_t>(count));
  }

 private:
  sqlite3_stmt* statement_ = nullptr;
  int result_ = SQLITE_OK;
};

/// A bag of ROS 2 in a database: tables `topics` and `messages`.
class SqliteBag final : public RecordingFile {
 public:
  explicit SqliteBag(const fs::path& path) : where_(path.string()) {
    check_magic(path);
    // Opened so, nothing is written beside it; what a recorder that still writes (or was killed)
    // has in its log needs the log.
    std::error_code ignored;
    fs::path log = path;
    log += "-wal";
    const bool logged = fs::exists(log, ignored) && fs::file_size(log, ignored) > 0;
    database_ = std::make_unique<Database>(uri_of(path, logged ? "mode=ro" : "immutable=1"));
    if (!is_whole()) {
      // A file that is shorter than its header says is only opened so.
      sqlite3_db_config(database_->handle(), SQLITE_DBCONFIG_WRITABLE_SCHEMA, 1, nullptr);
      remarks_.push_back(where_ + ": a damaged database; it is read as far as it goes");
    }
    require_tables();
    take_topics();
    take_messages();
  }

  FileBytes read(const RecordedTopic& topic, const MessagePlace& place,
                 std::uint64_t most) const override {
    sqlite3_blob* blob = nullptr;
    const auto row = static_cast<sqlite3_int64>(place.offset);
    const int opened =
        sqlite3_blob_open(database_->handle(), "main", "messages", "data", row, 0, &blob);
    const std::unique_ptr<sqlite3_blob, int (*)(sqlite3_blob*)> owner(blob, sqlite3_blob_close);
    const auto refuse = [&](int result) {
      throw InputError(where_, "message " + std::to_string(row) + " of " + topic.name,
                       sqlite3_errstr(result));
    };
    if (opened != SQLITE_OK) refuse(opened);
    const auto size = static_cast<std::uint64_t>(sqlite3_blob_bytes(blob));
    FileBytes bytes(std::min(size, most));
    const int result = sqlite3_blob_read(blob, bytes.data(), static_cast<int>(bytes.size()), 0);
    if (result != SQLITE_OK) refuse(result);
    return bytes;
  }

 private:
  void check_magic(const fs::path& path) const {
    constexpr std::string_view kMagic{"SQLite format 3\0", 16};
    const FileReader file(path);
    std::string first(std::min(file.size(), kMagic.size()), '\0');
    file.read(0, std::as_writable_bytes(std::span(first)));
    if (first != kMagic) throw InputError(where_, "an SQLite database", in_quotes(first));
  }

  bool is_whole() const {
    Query schema(*database_, "SELECT count(*) FROM sqlite_master");
    while (schema.next()) {
    }
    return !schema.failed();
  }

  void require_tables() const {
    for (const char* name : {"topics", "messages"}) {
      // No view and no virtual table.
      const std::string text = std::string("SELECT 1 FROM sqlite_master WHERE name = '") + name +
                               "' AND type = 'table' AND rootpage > 0";
      Query query(*database_, text.c_str());
      if (!query.next()) {
        throw InputError(where_, "a bag of ROS 2, which has tables topics and messages",
                         query.failed() ? database_->error() : std::string("no ") + name);
      }
    }
  }

  void take_topics() {
    Query query(*database_, "SELECT id, name, type, serialization_format FROM topics");
    while (query.next()) {
      RecordedTopic topic;
      topic.name = query.text(1);
      topic.type = short_type(query.text(2));
      topic.encoding = query.text(3);
      if (topic.encoding != "cdr") {
        topic.problem = "messages encoded as " + in_quotes(topic.encoding);
      }
      topic_of_id_.emplace(query.number(0), catalog_.topic(topic));
    }
    if (query.failed()) {
      throw InputError(where_, "topics with name, type and serialization_format",
                       database_->error());
    }
  }

  void take_messages() {
    Query query(*database_, "SELECT rowid, topic_id, timestamp FROM messages ORDER BY rowid");
    std::uint64_t strangers = 0;
    while (query.next()) {
      const auto topic = topic_of_id_.find(query.number(1));
      if (topic == topic_of_id_.end()) {
        ++strangers;
        continue;
      }
      catalog_.add_to_topic(topic->second,
                            {query.number(2), static_cast<std::uint64_t>(query.number(0))});
    }
    if (query.failed()) {
      remarks_.push_back(where_ + ": cut short (" + database_->error() +
                         "); the messages before are used");
    }
    if (strangers > 0) {
      remarks_.push_back(where_ + ": " + std::to_string(strangers) +
                         " messages of a topic that nothing describes left out");
    }
    topics_ = catalog_.topics();
  }

  std::string where_;
  std::unique_ptr<Database> database_;
  Catalog catalog_;
  std::map<std::int64_t, std::size_t> topic_of_id_;
};

}  // namespace

std::unique_ptr<RecordingFile> open_sqlite_bag(const fs::path& path) {
  return std::make_unique<SqliteBag>(path);
}

}  // namespace roadplane::kitti
